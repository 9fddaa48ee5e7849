//! What a tool is, and how the catalog forgets its types.

use std::{
    future::Future,
    sync::{Arc, OnceLock},
};

use futures_util::future::BoxFuture;
use serde_json::Value;
use tool_schema::{
    Arguments, Extent, InvalidArguments, JsonWriter, Member, Notes, Object, Output, Params, Record,
    input_schema, object_schema,
};

use crate::{
    catalog::Surface,
    context::{Context, SharedContext},
    declare::{
        Qortal,
        detail::{DETAIL, Detail, detail_parameter, has_full, members_without_millis, wants_full},
        older, other_names,
        outcome::{Attachment, NODE, NOTES, Outcome, ResourceLink},
        table::{FORMAT, Format, as_csv, columns, format_parameter, wants_csv, with_csv},
    },
    error::ToolError,
    resource::Source,
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
    /// Whether its answer may have a picture. A widely used host shows its model the structure of an answer alone where
    /// there is one, so that an answer with a picture has none, and the tool promises none.
    const PICTURES: bool = false;
    /// How many calls it counts as where calls have a rate.
    const CALLS: u32 = 1;
    /// The answer.
    type Output: Answer;

    /// Answers one call.
    fn call(self, cx: &Context) -> impl Future<Output = Result<Self::Output, ToolError>> + Send;
}

/// The answer of a tool: a record, or a record with attachments.
pub(crate) trait Answer {
    /// The members of the structured part.
    fn members() -> Vec<Member>;

    /// The outcome of the call, of which this much is wanted, and the notes on the structured part.
    fn outcome(self, extent: Extent) -> (Outcome, Notes);
}

impl<T: Record> Answer for T {
    fn members() -> Vec<Member> {
        <T as Record>::members()
    }

    fn outcome(self, extent: Extent) -> (Outcome, Notes) {
        let mut json = JsonWriter::new(extent);
        self.write(&mut json);
        let (members, notes) = json.finish();
        (Outcome::of(members), notes)
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
        match condition {
            true => self.note(sentence),
            false => self,
        }
    }
}

impl<T: Record> Answer for Reply<T> {
    fn members() -> Vec<Member> {
        <T as Record>::members()
    }

    fn outcome(self, extent: Extent) -> (Outcome, Notes) {
        let (mut outcome, mut notes) = self.record.outcome(extent);
        notes.extend(self.notes);
        outcome.attachments = self.attachments;
        outcome.links = self.links;
        (outcome, notes)
    }
}

/// Bytes of JSON that every host shows its model of one answer.
const ANSWER_BYTES: usize = 40_000;
/// The parameter of lists that says how many rows they have at most.
const LIMIT: &str = "limit";

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
    shape: OnceLock<Arc<Shape>>,
    validate: fn(&mut Object, &Shape) -> Result<(), InvalidArguments>,
    call: fn(Context, Arc<Shape>) -> BoxFuture<'static, Result<Outcome, ToolError>>,
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
            shape: OnceLock::new(),
            validate: |arguments, shape| read::<T>(arguments, shape).map(drop),
            call: |cx, shape| Box::pin(call::<T>(cx, shape)),
        }
    }

    fn shape(&self) -> &Arc<Shape> {
        self.shape.get_or_init(|| {
            let parameters = (self.parameters)();
            let members = (self.members)();
            let is_own = parameters.iter().any(|it| it.name == DETAIL);
            let detail = match is_own {
                true => Some(DetailParameter::Own),
                false => has_full(&members).then_some(DetailParameter::Added),
            };
            Arc::new(Shape {
                parameters: parameters.into_iter().map(|it| it.name).collect(),
                members,
                detail,
                files: Source::files_of(self.name),
            })
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
            older::publish(&mut parameters);
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
        (self.validate)(arguments, self.shape())
    }

    /// Answers one call. An answer that is longer than hosts show is made again, of fewer rows.
    pub(crate) async fn call(
        &self,
        shared: SharedContext,
        mut arguments: Object,
    ) -> Result<Outcome, ToolError> {
        if shared.selection.surface.is_older(self.name) {
            older::complete(&mut arguments, &self.parameters());
        }
        let call = |arguments| {
            let cx = Context::new(shared.clone(), self.name, arguments);
            (self.call)(cx, Arc::clone(self.shape()))
        };
        let mut outcome = call(arguments.clone()).await?;
        while let Some(limit) = self.shorter_limit(&arguments, &outcome) {
            arguments.insert(LIMIT.to_owned(), limit.into());
            outcome = call(arguments.clone()).await?;
        }
        Ok(outcome)
    }

    /// The limit with which an answer that is too long should fit; `None` if it is not, or cannot name the rest.
    fn shorter_limit(&self, arguments: &Object, outcome: &Outcome) -> Option<u64> {
        let bytes = u64::try_from(outcome.bytes_beyond(ANSWER_BYTES)?).ok()?;
        if wants_csv(arguments) {
            return None;
        }
        (self.members)().iter().find(|it| it.name == "next")?;
        let parameters = (self.parameters)();
        let limit = &parameters.iter().find(|it| it.name == LIMIT)?.schema;
        let usual = || limit.get("default")?.as_u64();
        // Very large limits are not published.
        let most = limit.get("maximum").and_then(Value::as_u64);
        let given = arguments
            .get(LIMIT)
            .and_then(Value::as_u64)
            .or_else(usual)?;
        let given = given.min(most.unwrap_or(u64::MAX));
        // Rows differ in length.
        let fitting = given.saturating_mul(u64::try_from(ANSWER_BYTES).ok()?) / bytes * 9 / 10;
        (given > 1).then_some(fitting.clamp(1, given - 1))
    }
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// The arguments of a call as they were read.
struct Call<P> {
    params: P,
    format: Format,
    /// Sentences on what was coerced.
    notes: Vec<String>,
}

fn read<T: Tool>(arguments: &mut Object, shape: &Shape) -> Result<Call<T>, InvalidArguments> {
    let mut arguments = Arguments::new(arguments);
    other_names::accept(&mut arguments, &shape.parameters);
    let params = T::take(&mut arguments);
    let format = match T::TABLE {
        Some(_) => arguments.take::<Format, Qortal>(FORMAT, Some(Format::Json)),
        None => Some(Format::Json),
    };
    if shape.detail == Some(DetailParameter::Added) {
        // It is looked up in the arguments where it is needed; a problem with it is one of the call.
        arguments.take::<Detail, Qortal>(DETAIL, Some(Detail::Summary));
    }
    let ((params, format), notes) = arguments.finish(params.zip(format))?;
    Ok(Call {
        params,
        format,
        notes,
    })
}

async fn call<T: Tool>(mut cx: Context, shape: Arc<Shape>) -> Result<Outcome, ToolError> {
    let read =
        read::<T>(&mut cx.arguments, &shape).map_err(|err| ToolError::Arguments(err.problems))?;
    let answer = read.params.call(&cx).await;
    let answer = answer.map_err(|err| cx.locate(err))?;
    let (outcome, notes) = answer.outcome(shape.extent(&cx));
    let csv = T::TABLE.filter(|_| read.format == Format::Csv);
    Ok(completed(outcome, &cx, &shape, csv, (notes, read.notes)))
}

/// What [`call`] does after the tool, which is the same for all tools and in the program once.
fn completed(
    mut outcome: Outcome,
    cx: &Context,
    shape: &Shape,
    csv: Option<&str>,
    (notes, coerced): (Notes, Vec<String>),
) -> Outcome {
    if let Some(list) = csv {
        let is_full = shape.extent(cx) == Extent::Full;
        let columns = columns(list, &shape.members, is_full);
        outcome.replace_members(|members| as_csv(members, list, &columns));
    }
    cx.complete(&mut outcome);
    outcome.note(notes.into_sentences());
    outcome.note(coerced);
    outcome.link(&shape.files, &cx.arguments);
    outcome
}
