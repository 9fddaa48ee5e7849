//! What a tool is, and how the catalog forgets its types.

use std::{future::Future, pin::Pin, sync::OnceLock};

use jsonschema::Validator;
use serde_json::Value;

use crate::{
    Object,
    catalog::Surface,
    context::{Context, Surroundings},
    declare::{
        Member, Output, Parameter, Params, Reader, Record, Remarks,
        params::input_schema,
        reader::mend,
        record::record_schema,
        table::{FORMAT, Format, as_csv, columns, format_parameter, with_csv},
    },
    error::{Problem, ToolError},
    resource::{Body, Source, links},
};

/// One thing a client may ask for. Implementing it is all there is to a tool; its family lists it.
pub(crate) trait Tool {
    /// `snake_case`, at most 40 characters.
    const NAME: &'static str;
    /// For people.
    const TITLE: &'static str;
    /// For models: ASCII sentences, at most 200 characters.
    const DESCRIPTION: &'static str;
    /// Arguments, as JSON, that get an answer on the recorded chain.
    const EXAMPLE: &'static str;
    /// The smallest listing it is part of.
    const SURFACE: Surface = Surface::Standard;
    /// Whether it asks the node, rather than computing from its arguments alone.
    const USES_NODE: bool = true;
    /// The member of its answer that is a table: a long list of records with plain members. Clients may then ask
    /// for CSV, and nothing else has to be said about it.
    const TABLE: Option<&'static str> = None;
    /// What it takes.
    type Params: Params;
    /// What it answers.
    type Output: Answer;

    /// Answers one call.
    fn call(
        cx: &Context,
        params: Self::Params,
    ) -> impl Future<Output = Result<Self::Output, ToolError>> + Send;
}

/// What a tool's answer must be: a record, or a record with something beside it.
pub(crate) trait Answer {
    /// The members of the structured part.
    fn members() -> Vec<Member>;

    /// What it says.
    fn outcome(self, remarks: &mut Remarks) -> Outcome;
}

impl<T: Record> Answer for T {
    fn members() -> Vec<Member> {
        <T as Record>::members()
    }

    fn outcome(self, remarks: &mut Remarks) -> Outcome {
        Outcome {
            structure: self.object(remarks),
            attachments: Vec::new(),
            links: Vec::new(),
        }
    }
}

/// A record with something beside it: remarks on this answer, or pictures.
#[derive(Debug)]
pub(crate) struct Reply<T> {
    pub(crate) record: T,
    /// Sentences; they become `notes`.
    pub(crate) notes: Vec<String>,
    pub(crate) attachments: Vec<Attachment>,
    pub(crate) links: Vec<Link>,
}

impl<T> Reply<T> {
    /// A record with nothing beside it yet.
    pub(crate) const fn new(record: T) -> Self {
        Self {
            record,
            notes: Vec::new(),
            attachments: Vec::new(),
            links: Vec::new(),
        }
    }

    /// Adds a remark.
    pub(crate) fn note(mut self, sentence: impl Into<String>) -> Self {
        self.notes.push(sentence.into());
        self
    }
}

impl<T: Record> Answer for Reply<T> {
    fn members() -> Vec<Member> {
        <T as Record>::members()
    }

    fn outcome(self, remarks: &mut Remarks) -> Outcome {
        let outcome = self.record.outcome(remarks);
        remarks.notes.extend(self.notes);
        Outcome {
            attachments: self.attachments,
            links: self.links,
            ..outcome
        }
    }
}

/// Something beside the structured answer: a picture, or text that hosts get at its own address.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attachment {
    /// The bytes of a picture, or text.
    pub body: Body,
    /// For example `image/png`.
    pub mime_type: String,
}

/// Where the same facts are to be had in another form.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Link {
    /// The address of a resource.
    pub uri: String,
    /// The media type of what it holds.
    pub mime_type: String,
    /// What the resource is.
    pub source: &'static Source,
}

/// The answer to one call.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    /// The facts: a JSON object that satisfies [`Entry::output_schema`].
    pub structure: Object,
    /// What comes beside them.
    pub attachments: Vec<Attachment>,
    /// The same in other forms.
    pub links: Vec<Link>,
}

/// The member that every answer may have.
const NOTES: &str = "notes";

impl Outcome {
    fn note(&mut self, notes: Vec<String>) {
        if notes.is_empty() {
            return;
        }
        let said = self
            .structure
            .entry(NOTES)
            .or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(said) = said {
            said.extend(notes.into_iter().map(Value::String));
        }
    }

    /// Names the links in the structure as well, which is all that some hosts show a model.
    fn link(&mut self, links: Vec<Link>) {
        let uris: Vec<_> = links.iter().map(|it| it.uri.as_str()).collect();
        if !uris.is_empty() {
            self.note(vec![format!("As a file: {}.", uris.join(", "))]);
        }
        self.links.extend(links);
    }
}

type Answered<'a> = Pin<Box<dyn Future<Output = Result<Outcome, ToolError>> + Send + 'a>>;

/// A tool with its types forgotten.
pub struct Entry {
    /// The name to call it by.
    pub name: &'static str,
    /// For people.
    pub title: &'static str,
    /// For models.
    pub description: &'static str,
    /// Arguments, as JSON, that get an answer on the recorded chain.
    pub example: &'static str,
    /// The smallest listing it is part of.
    pub surface: Surface,
    /// Whether it asks the node, rather than computing from its arguments alone.
    pub uses_node: bool,
    parameters: fn() -> Vec<Parameter>,
    members: fn() -> Vec<Member>,
    table: Option<&'static str>,
    check: fn(&Object) -> Result<(), Vec<Problem>>,
    call: for<'a> fn(&'a Context) -> Answered<'a>,
    door: OnceLock<Result<Door, String>>,
}

/// What every call passes, made when the first one comes.
struct Door {
    parameters: Vec<Parameter>,
    published: Validator,
}

impl Entry {
    pub(crate) const fn of<T: Tool>() -> Self {
        Self {
            name: T::NAME,
            title: T::TITLE,
            description: T::DESCRIPTION,
            example: T::EXAMPLE,
            surface: T::SURFACE,
            uses_node: T::USES_NODE,
            parameters: T::Params::parameters,
            members: T::Output::members,
            table: T::TABLE,
            check: |arguments| read::<T>(arguments).map(drop),
            call: call::<T>,
            door: OnceLock::new(),
        }
    }

    /// What it takes.
    #[must_use]
    pub fn parameters(&self) -> Vec<Member> {
        let parameters = self.readers().into_iter();
        parameters.map(|it| it.member).collect()
    }

    fn readers(&self) -> Vec<Parameter> {
        let format = self.table.map(|_| format_parameter());
        (self.parameters)().into_iter().chain(format).collect()
    }

    /// What it answers. Every answer may also have `notes`.
    #[must_use]
    pub fn members(&self) -> Vec<Member> {
        let mut members = (self.members)();
        if let Some(list) = self.table {
            members = with_csv(list, members);
        }
        <Option<Vec<String>> as Output>::describe(
            NOTES,
            "What to know when reading the answer.",
            &mut members,
        );
        members
    }

    /// The schema that arguments are checked against.
    #[must_use]
    pub fn input_schema(&self) -> Value {
        input_schema(&self.readers())
    }

    /// The schema that [`Outcome::structure`] satisfies.
    #[must_use]
    pub fn output_schema(&self) -> Value {
        Value::Object(record_schema(self.members()))
    }

    /// Answers one call: what is published is checked before anything is asked of the node.
    pub(crate) async fn call(
        &self,
        surroundings: &Surroundings,
        mut arguments: Object,
    ) -> Result<Outcome, ToolError> {
        let door = self.door().map_err(ToolError::Declaration)?;
        let notes = mend(&mut arguments, &door.parameters);
        let arguments = Value::Object(arguments);
        let valid = door.published.is_valid(&arguments);
        let Value::Object(arguments) = arguments else {
            unreachable!("it was made an object three lines above")
        };
        if !valid {
            return Err(ToolError::Arguments(self.problems(door, arguments)));
        }
        let cx = Context::new(surroundings, self.name, arguments);
        let mut outcome = (self.call)(&cx).await?;
        outcome.note(notes);
        outcome.link(links(self.name, cx.arguments()));
        Ok(outcome)
    }

    /// What is wrong with arguments that the published schema refuses. The reader has the better words.
    fn problems(&self, door: &Door, arguments: Object) -> Vec<Problem> {
        match (self.check)(&arguments) {
            Err(problems) => problems,
            Ok(()) => {
                let arguments = Value::Object(arguments);
                door.published
                    .iter_errors(&arguments)
                    .map(|it| unforeseen(&it))
                    .collect()
            }
        }
    }

    fn door(&self) -> Result<&Door, String> {
        let door = self.door.get_or_init(|| {
            let parameters = self.readers();
            let published = jsonschema::validator_for(&input_schema(&parameters))
                .map_err(|err| format!("{}: {err}", self.name))?;
            Ok(Door {
                parameters,
                published,
            })
        });
        door.as_ref().map_err(Clone::clone)
    }
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// What a tool takes, and how it is to answer.
fn read<T: Tool>(arguments: &Object) -> Result<(T::Params, Format), Vec<Problem>> {
    let mut reader = Reader::new(arguments);
    let params = T::Params::read(&mut reader);
    let format = match T::TABLE {
        Some(_) => reader.take(FORMAT, Some(Format::Json)),
        None => Some(Format::Json),
    };
    reader.finish(params.zip(format))
}

fn call<T: Tool>(cx: &Context) -> Answered<'_> {
    Box::pin(async move {
        let (params, format) = read::<T>(cx.arguments()).map_err(ToolError::Arguments)?;
        let answer = T::call(cx, params).await?;
        let mut remarks = Remarks::default();
        let mut outcome = answer.outcome(&mut remarks);
        if let (Format::Csv, Some(list)) = (format, T::TABLE) {
            let columns = columns(list, &T::Output::members());
            outcome.structure = as_csv(outcome.structure, list, &columns);
        }
        outcome.note(remarks.into_notes());
        Ok(outcome)
    })
}

/// A refusal that only the published schema knows of.
fn unforeseen(err: &jsonschema::ValidationError<'_>) -> Problem {
    Problem {
        parameter: err
            .instance_path()
            .to_string()
            .trim_start_matches('/')
            .to_owned(),
        plain: "Invalid argument.",
        what: format!("is not accepted: {err}"),
        accepted: "what the tool's input schema says".to_owned(),
    }
}
