//! A tool with its types erased, as the catalog stores it.

use std::sync::OnceLock;

use futures_util::future::BoxFuture;
use serde_json::Value;
use tool_schema::{
    ArgumentReader, InvalidArguments, JsonWriter, Object, Output, OutputDetail, Property,
    object_schema, remove_descriptions, schema_of_properties,
};

use crate::{
    Surface, ToolError,
    context::{Context, SharedContext},
    declare::{
        Qortal,
        file::File,
        other_names,
        outcome::{Answer, NODE, NOTES, Outcome},
        output::{DETAIL, Detail, detail_parameter, has_full, members_without_millis, wants_full},
        paging::TRUNCATED,
        pasted,
        table::{FORMAT, Format, as_csv, columns, format_parameter, with_csv},
        tool::Tool,
    },
};

/// Size of one answer, in bytes of JSON, that every host passes to its model.
const ANSWER_BYTES: usize = 40_000;
/// Maximum size of the rows of one list, in bytes of JSON. It leaves room for the notes of the answer.
const LIST_BYTES: usize = 38_000;

/// A tool with its types erased.
pub struct Entry {
    /// The name in calls.
    pub name: &'static str,
    /// The title, for people.
    pub title: &'static str,
    /// The description, for models.
    pub description: &'static str,
    /// Example arguments, as JSON, that the recorded chain can answer.
    pub example: &'static str,
    /// Search terms, separated by commas.
    pub(crate) keywords: &'static str,
    /// Whether it queries the node, rather than computing from its arguments alone.
    pub uses_node: bool,
    /// Whether its result may contain an image, and then no structured content.
    pub images: bool,
    /// Whether the node requires the API key for it.
    pub needs_key: bool,
    /// Number of calls it counts as toward a rate limit.
    pub calls: u32,
    /// Resources with the facts of its answer in another form.
    pub files: &'static [File],
    parameters: fn() -> Vec<Property>,
    members: fn() -> Vec<Property>,
    table: Option<&'static str>,
    many_lists: bool,
    signature: OnceLock<Signature>,
    take: fn(&mut ArgumentReader<'_>) -> Option<Box<dyn PreparedCall>>,
}

/// A call whose arguments have been read.
struct Prepared {
    call: Box<dyn PreparedCall>,
    /// The format of the answer.
    format: Format,
    /// Notes on coerced arguments.
    notes: Vec<String>,
}

/// A tool with its parameters.
trait PreparedCall: Send {
    fn answer<'a>(
        self: Box<Self>,
        cx: &'a Context,
    ) -> BoxFuture<'a, Result<Box<dyn Answer>, ToolError>>;
}

impl<T: Tool> PreparedCall for T {
    fn answer<'a>(
        self: Box<Self>,
        cx: &'a Context,
    ) -> BoxFuture<'a, Result<Box<dyn Answer>, ToolError>> {
        Box::pin(async move { Ok(Box::new(self.call(cx).await?) as Box<dyn Answer>) })
    }
}

/// The parts of a tool's declaration that each call needs.
pub(super) struct Signature {
    /// The names of its parameters.
    parameters: Vec<String>,
    /// The fields of its answer.
    pub(super) members: Vec<Property>,
    /// The declaration of the parameter [`DETAIL`], if the tool has it.
    detail: Option<DetailParameter>,
}

impl Signature {
    /// Returns the level of detail of a call.
    pub(super) fn extent(&self, cx: &Context) -> OutputDetail {
        match self.detail {
            Some(_) if wants_full(&cx.arguments) => OutputDetail::Full,
            Some(_) => OutputDetail::Summary,
            None if cx.is_older() => OutputDetail::Full,
            None => OutputDetail::Usual,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DetailParameter {
    /// Declared by the tool, which uses it.
    Own,
    /// Added for all tools, because the answer has fields that only the full form contains.
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
            images: T::IMAGES,
            needs_key: T::NEEDS_KEY,
            calls: T::CALLS,
            files: T::FILES,
            parameters: T::properties,
            members: T::Output::properties,
            table: T::TABLE,
            many_lists: T::MANY_LISTS,
            signature: OnceLock::new(),
            take: |arguments| Some(Box::new(T::take(arguments)?)),
        }
    }

    pub(super) fn signature(&self) -> &Signature {
        self.signature.get_or_init(|| {
            let parameters = (self.parameters)();
            let members = (self.members)();
            let is_own = parameters.iter().any(|it| it.name == DETAIL);
            let detail = if is_own {
                Some(DetailParameter::Own)
            } else {
                has_full(&members).then_some(DetailParameter::Added)
            };
            Signature {
                parameters: parameters.into_iter().map(|it| it.name).collect(),
                members,
                detail,
            }
        })
    }

    /// Returns the parameters in their default form.
    #[must_use]
    pub fn parameters(&self) -> Vec<Property> {
        self.parameters_on(Surface::Extended)
    }

    /// Returns the parameters with the defaults of a surface.
    #[must_use]
    pub fn parameters_on(&self, surface: Surface) -> Vec<Property> {
        let format = self.table.map(|_| format_parameter());
        let added = self.signature().detail == Some(DetailParameter::Added);
        let detail = added.then(detail_parameter);
        let own = (self.parameters)().into_iter();
        let mut parameters: Vec<_> = own.chain(detail).chain(format).collect();
        if surface.is_older(self.name) {
            other_names::publish(&mut parameters);
        }
        parameters
    }

    /// Returns the fields of the answer in its default form. Every answer may also have `notes`, and one from a node `node`.
    #[must_use]
    pub fn members(&self) -> Vec<Property> {
        self.members_on(Surface::Extended)
    }

    /// Returns the fields of the answer on a surface.
    #[must_use]
    pub fn members_on(&self, surface: Surface) -> Vec<Property> {
        let mut members = (self.members)();
        if self.signature().detail.is_none() && !surface.is_older(self.name) {
            members_without_millis(&mut members, false);
        }
        if let Some(list) = self.table {
            members = with_csv(list, members);
        }
        if self.uses_node {
            <Option<String> as Output<Qortal>>::add_properties(
                NODE,
                "The public node used, if the configured one failed.",
                &mut members,
            );
        }
        <Option<Vec<String>> as Output<Qortal>>::add_properties(
            NOTES,
            "Notes on the answer.",
            &mut members,
        );
        members
    }

    /// Returns the name of the list that answers such a call, and the columns of its rows. Returns `None` if the answer
    /// is not a list.
    pub(crate) fn rows(&self, arguments: &Object) -> Option<(String, Vec<String>)> {
        if self.many_lists {
            return None;
        }
        let members = &self.signature().members;
        let end = members.iter().position(|it| it.name == TRUNCATED)?;
        let is_list = |it: &&Property| it.schema.get("type") == Some(&"array".into());
        let list = members.iter().take(end).rfind(is_list)?;
        let columns = columns(&list.name, members, wants_full(arguments));
        Some((list.name.clone(), columns))
    }

    /// Returns the example as an object. An invalid example yields an empty one, which a test rules out.
    pub(crate) fn example_arguments(&self) -> Object {
        serde_json::from_str(self.example).unwrap_or_default()
    }

    /// Returns the schema of the arguments, enforced by [`Catalog::call`](crate::Catalog::call).
    #[must_use]
    pub fn input_schema(&self) -> Value {
        self.input_schema_on(Surface::Extended)
    }

    /// Returns the input schema with the defaults of a surface.
    #[must_use]
    pub fn input_schema_on(&self, surface: Surface) -> Value {
        schema_of_properties(&self.parameters_on(surface))
    }

    /// Returns the schema of [`Outcome::json`].
    #[must_use]
    pub fn output_schema(&self) -> Value {
        self.output_schema_on(Surface::Extended)
    }

    /// Returns the output schema on a surface without descriptions. They take most of the tokens of a tool list.
    #[must_use]
    pub fn output_schema_on(&self, surface: Surface) -> Value {
        let mut schema = self.described_output_schema_on(surface);
        remove_descriptions(&mut schema);
        schema
    }

    /// Returns the output schema on a surface with the descriptions of all fields.
    #[must_use]
    pub fn described_output_schema_on(&self, surface: Surface) -> Value {
        Value::Object(object_schema(self.members_on(surface)))
    }

    /// Checks arguments in the same way as [`Catalog::call`](crate::Catalog::call), and replaces coerced values by
    /// their interpretation: the digits in a string become a number, for example.
    ///
    /// # Errors
    ///
    /// Returns an error with every problem of the arguments.
    pub fn validate(&self, arguments: &mut Object) -> Result<(), InvalidArguments> {
        self.read(arguments).map(drop)
    }

    /// Reads the arguments of a call and replaces coerced values.
    fn read(&self, arguments: &mut Object) -> Result<Prepared, InvalidArguments> {
        let signature = self.signature();
        let mut arguments = ArgumentReader::new(arguments);
        pasted::accept(&mut arguments, &signature.parameters);
        let is_known = |name: &str| signature.parameters.iter().any(|it| it == name);
        if !arguments.unread_names().all(is_known) {
            other_names::accept(&mut arguments, &signature.parameters);
        }
        let call = (self.take)(&mut arguments);
        let format = match self.table {
            Some(_) => arguments.take::<Format, Qortal>(FORMAT, Some(Format::Json)),
            None => Some(Format::Json),
        };
        if signature.detail == Some(DetailParameter::Added) {
            // The tool reads it from the arguments where it is needed. A problem with it is an error of the call.
            arguments.take::<Detail, Qortal>(DETAIL, Some(Detail::Summary));
        }
        let ((call, format), notes) = arguments.finish(call.zip(format))?;
        Ok(Prepared {
            call,
            format,
            notes,
        })
    }

    /// Calls the tool.
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
        let prepared = read.map_err(|err| ToolError::Arguments(err.problems))?;
        let answer = prepared.call.answer(&cx).await;
        let answer = answer.map_err(|err| cx.locate(err))?;
        let csv = self.table.filter(|_| prepared.format == Format::Csv);
        Ok(self.fit(answer, &cx, csv, prepared.notes))
    }

    /// Returns the outcome of a call: the answer with the additions common to all tools, within the size that hosts
    /// show. A longer answer is written again with fewer rows.
    fn fit(
        &self,
        mut answer: Box<dyn Answer>,
        cx: &Context,
        csv: Option<&str>,
        notes: Vec<String>,
    ) -> Outcome {
        let signature = self.signature();
        let extent = signature.extent(cx);
        let mut outcome = answer.outcome();
        cx.complete(&mut outcome);
        let mut noted = outcome.after_notes();
        outcome.note(notes);
        outcome.link(self.files, &cx.arguments);
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
                let columns = columns(list, &signature.members, extent == OutputDetail::Full);
                outcome.replace_members(|members| as_csv(members, list, &columns));
                return outcome;
            }
            if cx.shared.whole_pages {
                return outcome;
            }
            match outcome.bytes_beyond(ANSWER_BYTES) {
                // The estimate can be off because rows differ in length.
                Some(bytes) if longest > 1 => {
                    most = (longest * ANSWER_BYTES / bytes * 9 / 10).clamp(1, longest - 1);
                }
                _ => return outcome,
            }
        }
    }
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// Tools about one subject.
#[derive(Debug)]
#[non_exhaustive]
pub struct Family {
    /// The name in selections.
    pub name: &'static str,
    /// The purpose, in one sentence for models.
    pub purpose: &'static str,
    /// The tools, in listing order.
    pub tools: &'static [Entry],
}
