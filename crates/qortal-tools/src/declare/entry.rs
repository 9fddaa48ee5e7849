//! What a tool is, and how the catalog forgets its types.

use std::{future::Future, mem::take, sync::OnceLock};

use futures_util::future::BoxFuture;
use serde_json::Value;
use tool_schema::{
    Arguments, Extent, InvalidArguments, JsonWriter, Member, Object, Output, Params, Record,
    input_schema, object_schema,
};

use crate::{
    Source, Surface, ToolError,
    context::{Context, SharedContext},
    declare::{
        Qortal, other_names,
        outcome::{Attachment, NODE, NOTES, Outcome, ResourceLink},
        output::{DETAIL, Detail, detail_parameter, has_full, members_without_millis, wants_full},
        paging::TRUNCATED,
        pasted,
        table::{FORMAT, Format, as_csv, columns, format_parameter, with_csv},
    },
};

/// One tool: a type of its parameters that implements this is a complete tool; its family lists it.
pub(crate) trait Tool: Params + 'static {
    /// `snake_case`, at most 40 characters.
    const NAME: &'static str;
    /// For people.
    const TITLE: &'static str;
    /// For models: ASCII sentences, at most 200 characters.
    const DESCRIPTION: &'static str;
    /// Arguments, as JSON, of an example that the recorded chain answers.
    const EXAMPLE: &'static str = "{}";
    /// The words by which people look for it, beside its name, description and questions: phrases with commas between them.
    const KEYWORDS: &'static str;
    /// Whether it asks the node, rather than computing from its arguments alone.
    const USES_NODE: bool = true;
    /// Whether the node answers it only with the API key. The description says so too.
    const NEEDS_KEY: bool = false;
    /// The member of its answer that is a table: a long list of records with plain members. Clients can then ask
    /// for CSV; nothing else needs to be declared.
    const TABLE: Option<&'static str> = None;
    /// Whether its answer has several lists, of which each call has a part.
    const MANY_LISTS: bool = false;
    /// Whether its answer may have a picture. A widely used host shows its model the structure of an answer alone where
    /// there is one, so that an answer with a picture has none, and the tool promises none.
    const PICTURES: bool = false;
    /// How many calls it counts as where calls have a rate.
    const CALLS: u32 = 1;
    /// The answer.
    type Output: Answer + 'static;

    /// Answers one call.
    fn call(self, cx: &Context) -> impl Future<Output = Result<Self::Output, ToolError>> + Send;
}

/// The answer of a tool: a record, or a record with attachments.
pub(crate) trait Answer: Send {
    /// The members of the structured part.
    fn members() -> Vec<Member>
    where
        Self: Sized;

    /// Writes that, with the notes on it.
    fn write(&self, json: &mut JsonWriter);

    /// Takes what comes beside it.
    fn outcome(&mut self) -> Outcome;
}

impl<T: Record + Send> Answer for T {
    fn members() -> Vec<Member> {
        <T as Record>::members()
    }

    fn write(&self, json: &mut JsonWriter) {
        Record::write(self, json);
    }

    fn outcome(&mut self) -> Outcome {
        Outcome::default()
    }
}

/// A record with notes, attachments and links.
#[derive(Debug)]
pub(crate) struct Reply<T> {
    pub(crate) record: T,
    /// Sentences for the member `notes`.
    pub(crate) notes: Vec<String>,
    pub(crate) attachments: Vec<Attachment>,
    pub(crate) links: Vec<ResourceLink>,
}

impl<T> Reply<T> {
    /// A record without notes, attachments and links.
    pub(crate) const fn new(record: T) -> Self {
        Self {
            record,
            notes: Vec::new(),
            attachments: Vec::new(),
            links: Vec::new(),
        }
    }

    /// Adds a note.
    pub(crate) fn note(mut self, sentence: impl Into<String>) -> Self {
        self.notes.push(sentence.into());
        self
    }

    /// Adds a note under a condition.
    pub(crate) fn note_if(self, condition: bool, sentence: impl Into<String>) -> Self {
        if condition { self.note(sentence) } else { self }
    }
}

impl<T: Record + Send> Answer for Reply<T> {
    fn members() -> Vec<Member> {
        <T as Record>::members()
    }

    fn write(&self, json: &mut JsonWriter) {
        Record::write(&self.record, json);
        json.notes.extend(self.notes.iter().cloned());
    }

    fn outcome(&mut self) -> Outcome {
        let mut outcome = Outcome::default();
        outcome.attachments = take(&mut self.attachments);
        outcome.links = take(&mut self.links);
        outcome
    }
}

/// Bytes of JSON that every host shows its model of one answer.
const ANSWER_BYTES: usize = 40_000;
/// Bytes of JSON of the rows of one list: with its notes, an answer with such a list has less.
const LIST_BYTES: usize = 38_000;

/// A tool with its types forgotten.
pub struct Entry {
    /// The name by which it is called.
    pub name: &'static str,
    /// For people.
    pub title: &'static str,
    /// For models.
    pub description: &'static str,
    /// Arguments, as JSON, of an example that the recorded chain answers.
    pub example: &'static str,
    /// The words by which people look for it, with commas between them.
    pub(crate) keywords: &'static str,
    /// Whether it asks the node, rather than computing from its arguments alone.
    pub uses_node: bool,
    /// Whether its answer may have a picture, and then no structured content.
    pub pictures: bool,
    /// Whether the node answers it only with the API key.
    pub needs_key: bool,
    /// How many calls it counts as where calls have a rate.
    pub calls: u32,
    parameters: fn() -> Vec<Member>,
    members: fn() -> Vec<Member>,
    table: Option<&'static str>,
    many_lists: bool,
    shape: OnceLock<Shape>,
    take: fn(&mut Arguments<'_>) -> Option<Box<dyn Ready>>,
}

/// The tool, the format of its answer, and sentences on what was coerced.
type Read = ((Box<dyn Ready>, Format), Vec<String>);

/// A tool with its parameters, ready to answer.
trait Ready: Send {
    fn answer<'a>(
        self: Box<Self>,
        cx: &'a Context,
    ) -> BoxFuture<'a, Result<Box<dyn Answer>, ToolError>>;
}

impl<T: Tool> Ready for T {
    fn answer<'a>(
        self: Box<Self>,
        cx: &'a Context,
    ) -> BoxFuture<'a, Result<Box<dyn Answer>, ToolError>> {
        Box::pin(async move { Ok(Box::new(self.call(cx).await?) as Box<dyn Answer>) })
    }
}

/// What each call of a tool needs to know of its declaration.
struct Shape {
    /// The names of its parameters.
    parameters: Vec<String>,
    /// The members of its answer.
    members: Vec<Member>,
    /// Whether it has the parameter [`DETAIL`], and where that is declared.
    detail: Option<DetailParameter>,
    /// The files with the facts of its answers.
    files: Vec<&'static Source>,
}

impl Shape {
    /// How much of an answer a call asks for.
    fn extent(&self, cx: &Context) -> Extent {
        match self.detail {
            Some(_) if wants_full(&cx.arguments) => Extent::Full,
            Some(_) => Extent::Summary,
            None if cx.is_older() => Extent::Full,
            None => Extent::Usual,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DetailParameter {
    /// By the tool, which needs to know.
    Own,
    /// For all tools, because the answer has members that are only there in full.
    Added,
}

impl Entry {
    pub(crate) const fn of<T: Tool>() -> Self {
        Self {
            name: T::NAME,
            title: T::TITLE,
            description: T::DESCRIPTION,
            example: T::EXAMPLE,
            keywords: T::KEYWORDS,
            uses_node: T::USES_NODE,
            pictures: T::PICTURES,
            needs_key: T::NEEDS_KEY,
            calls: T::CALLS,
            parameters: T::members,
            members: T::Output::members,
            table: T::TABLE,
            many_lists: T::MANY_LISTS,
            shape: OnceLock::new(),
            take: |arguments| Some(Box::new(T::take(arguments)?)),
        }
    }

    fn shape(&self) -> &Shape {
        self.shape.get_or_init(|| {
            let parameters = (self.parameters)();
            let members = (self.members)();
            let is_own = parameters.iter().any(|it| it.name == DETAIL);
            let detail = if is_own {
                Some(DetailParameter::Own)
            } else {
                has_full(&members).then_some(DetailParameter::Added)
            };
            Shape {
                parameters: parameters.into_iter().map(|it| it.name).collect(),
                members,
                detail,
                files: Source::files_of(self.name),
            }
        })
    }

    /// The parameters, as they are usually published.
    #[must_use]
    pub fn parameters(&self) -> Vec<Member> {
        self.parameters_on(Surface::Full)
    }

    /// The parameters, with the defaults that they have on a surface.
    #[must_use]
    pub fn parameters_on(&self, surface: Surface) -> Vec<Member> {
        let format = self.table.map(|_| format_parameter());
        let added = self.shape().detail == Some(DetailParameter::Added);
        let detail = added.then(detail_parameter);
        let own = (self.parameters)().into_iter();
        let mut parameters: Vec<_> = own.chain(detail).chain(format).collect();
        if surface.is_older(self.name) {
            other_names::publish(&mut parameters);
        }
        parameters
    }

    /// The answer, as it usually is. Every answer may also have `notes`, and one from a node `node`.
    #[must_use]
    pub fn members(&self) -> Vec<Member> {
        self.members_on(Surface::Full)
    }

    /// The answer on a surface.
    #[must_use]
    pub fn members_on(&self, surface: Surface) -> Vec<Member> {
        let mut members = (self.members)();
        if self.shape().detail.is_none() && !surface.is_older(self.name) {
            members_without_millis(&mut members, false);
        }
        if let Some(list) = self.table {
            members = with_csv(list, members);
        }
        if self.uses_node {
            <Option<String> as Output<Qortal>>::describe(
                NODE,
                "The public node that answered, if the configured one did not.",
                &mut members,
            );
        }
        <Option<Vec<String>> as Output<Qortal>>::describe(
            NOTES,
            "Notes on the answer.",
            &mut members,
        );
        members
    }

    /// The list that is the answer to such a call, and the columns of its rows. `None` if the answer is no list.
    pub(crate) fn rows(&self, arguments: &Object) -> Option<(String, Vec<String>)> {
        if self.many_lists {
            return None;
        }
        let members = &self.shape().members;
        let end = members.iter().position(|it| it.name == TRUNCATED)?;
        let is_list = |it: &&Member| it.schema.get("type") == Some(&"array".into());
        let list = members.iter().take(end).rfind(is_list)?;
        let columns = columns(&list.name, members, wants_full(arguments));
        Some((list.name.clone(), columns))
    }

    /// The example as an object; empty if it is none, which a test excludes.
    pub(crate) fn example_arguments(&self) -> Object {
        serde_json::from_str(self.example).unwrap_or_default()
    }

    /// The schema that arguments are checked against.
    #[must_use]
    pub fn input_schema(&self) -> Value {
        self.input_schema_on(Surface::Full)
    }

    /// The same with the defaults of a surface.
    #[must_use]
    pub fn input_schema_on(&self, surface: Surface) -> Value {
        input_schema(&self.parameters_on(surface))
    }

    /// The schema that [`Outcome::json`] satisfies.
    #[must_use]
    pub fn output_schema(&self) -> Value {
        self.output_schema_on(Surface::Full)
    }

    /// The same for the answers on a surface.
    #[must_use]
    pub fn output_schema_on(&self, surface: Surface) -> Value {
        Value::Object(object_schema(self.members_on(surface)))
    }

    /// Checks arguments as [`Catalog::call`](crate::Catalog::call) does, and replaces values by what they are read as:
    /// a number for its digits in a string, for example.
    ///
    /// # Errors
    ///
    /// Fails with everything that is wrong with them.
    pub fn validate(&self, arguments: &mut Object) -> Result<(), InvalidArguments> {
        self.read(arguments).map(drop)
    }

    /// Reads the arguments of a call, which are changed to what they are read as.
    fn read(&self, arguments: &mut Object) -> Result<Read, InvalidArguments> {
        let shape = self.shape();
        let mut arguments = Arguments::new(arguments);
        pasted::accept(&mut arguments, &shape.parameters);
        let is_known = |name: &str| shape.parameters.iter().any(|it| it == name);
        if !arguments.names().all(is_known) {
            other_names::accept(&mut arguments, &shape.parameters);
        }
        let tool = (self.take)(&mut arguments);
        let format = match self.table {
            Some(_) => arguments.take::<Format, Qortal>(FORMAT, Some(Format::Json)),
            None => Some(Format::Json),
        };
        if shape.detail == Some(DetailParameter::Added) {
            // It is looked up in the arguments where it is needed; a problem with it is one of the call.
            arguments.take::<Detail, Qortal>(DETAIL, Some(Detail::Summary));
        }
        arguments.finish(tool.zip(format))
    }

    /// Answers one call.
    pub(crate) async fn call(
        &self,
        shared: SharedContext,
        mut arguments: Object,
    ) -> Result<Outcome, ToolError> {
        if shared.selection.surface.is_older(self.name) {
            other_names::complete(&mut arguments, &self.parameters());
        }
        let mut cx = Context::new(shared, self.name, arguments);
        let read = self.read(&mut cx.arguments);
        let ((tool, format), coerced) = read.map_err(|err| ToolError::Arguments(err.problems))?;
        let answer = tool.answer(&cx).await.map_err(|err| cx.locate(err))?;
        let csv = self.table.filter(|_| format == Format::Csv);
        Ok(completed(answer, &cx, self.shape(), csv, coerced))
    }
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// An answer with what all tools add to it. One that is longer than hosts show is written again with fewer rows.
fn completed(
    mut answer: Box<dyn Answer>,
    cx: &Context,
    shape: &Shape,
    csv: Option<&str>,
    coerced: Vec<String>,
) -> Outcome {
    let extent = shape.extent(cx);
    let mut outcome = answer.outcome();
    cx.complete(&mut outcome);
    let mut noted = outcome.after_notes();
    outcome.note(coerced);
    outcome.link(&shape.files, &cx.arguments);
    let mut most = usize::MAX;
    loop {
        let mut json = JsonWriter::new(extent);
        if csv.is_none() && !cx.shared.whole_pages {
            (json.pages.most, json.pages.bytes) = (most, LIST_BYTES);
        }
        answer.write(&mut json);
        let longest = json.pages.longest;
        let (members, notes) = json.finish();
        outcome.state(members, notes, &mut noted);
        if let Some(list) = csv {
            let columns = columns(list, &shape.members, extent == Extent::Full);
            outcome.replace_members(|members| as_csv(members, list, &columns));
            return outcome;
        }
        if cx.shared.whole_pages {
            return outcome;
        }
        match outcome.bytes_beyond(ANSWER_BYTES) {
            // Rows differ in length.
            Some(bytes) if longest > 1 => {
                most = (longest * ANSWER_BYTES / bytes * 9 / 10).clamp(1, longest - 1);
            }
            _ => return outcome,
        }
    }
}

/// Tools about one subject.
#[derive(Debug)]
#[non_exhaustive]
pub struct Family {
    /// The name to choose it by.
    pub name: &'static str,
    /// Its purpose, in one sentence for models.
    pub purpose: &'static str,
    /// The tools, in the order they are listed.
    pub tools: &'static [Entry],
}
