// Made from the flags of mcp-convert by `cargo xtask codegen`.

/** For whom a value is converted, and how. */
export interface Settings {
  /**
   * For whom.
   * - `anthropic`: Anthropic Messages
   * - `openai-responses`: OpenAI Responses
   * - `openai-chat`: OpenAI Chat Completions
   * - `gemini`: Gemini API
   * - `bedrock`: Amazon Bedrock Converse
   * - `copilot`: GitHub Copilot SDK
   * - `codex`: Codex
   * - `langchain`: LangChain
   * - `ai-sdk`: Vercel AI SDK 6 and 7, Mastra
   * - `llama-index`: LlamaIndex
   * - `openai-agents`: OpenAI Agents
   * - `pydantic-ai`: Pydantic AI
   * - `rig`: rig
   * - `strands`: Strands
   * - `text`: One text, for any other host
   */
  to: "anthropic" | "openai-responses" | "openai-chat" | "gemini" | "bedrock" | "copilot" | "codex" | "langchain" | "ai-sdk" | "llama-index" | "openai-agents" | "pydantic-ai" | "rig" | "strands" | "text";
  /**
   * The API behind the framework, needed for langchain, ai-sdk, pydantic-ai, llama-index and strands.
   * - `any`: Any: what one of them rejects is sent nevertheless
   * - `anthropic`: Anthropic Messages
   * - `openai`: OpenAI Responses
   * - `openai-chat`: OpenAI Chat Completions
   * - `google`: Gemini API
   * - `bedrock`: Amazon Bedrock Converse
   */
  for?: "any" | "anthropic" | "openai" | "openai-chat" | "google" | "bedrock";
  /**
   * What is converted.
   * - `result`: The result of tools/call
   * - `prompt`: The result of prompts/get
   * - `resource`: The result of resources/read
   * - `tools`: The result of tools/list
   * @default "result"
   */
  kind?: "result" | "prompt" | "resource" | "tools";
  /**
   * Which converter to equal.
   * - `rich`: None: nothing is lost that the target can carry
   * - `compat`: The vendor's own, with its gaps: of ai-sdk (7), anthropic, copilot and langchain
   * @default "rich"
   */
  preset?: "rich" | "compat";
  /**
   * Makes a loss an error.
   */
  lossless?: boolean;
  /**
   * The id of the call that the result answers.
   * @default "call_1"
   */
  callId?: string;
  /**
   * The name of the tool that was called.
   * @default "tool"
   */
  tool?: string;
  /**
   * Blocks, structured value or both.
   * - `both`: Both, what is the same once
   * - `content-only`: The blocks
   * - `structured-only`: The structured value, if there is one
   * - `content-unless-empty`: The blocks, if there are any
   * @default "both"
   */
  prefer?: "both" | "content-only" | "structured-only" | "content-unless-empty";
  /**
   * Blocks for the user alone.
   * - `ignore`: They go to the model
   * - `respect`: They are held back
   * @default "ignore"
   */
  audience?: "ignore" | "respect";
  /**
   * Links.
   * - `text`: Text
   * - `images`: Those to pictures are fetched by the provider; for langchain all with https, by the host or the provider
   * @default "text"
   */
  links?: "text" | "images";
  /**
   * The most bytes of text.
   */
  maxBytes?: number;
  /**
   * The most characters of text.
   */
  maxChars?: number;
  /**
   * The most bytes of each picture, sound and file.
   */
  maxMediaBytes?: number;
  /**
   * Where text is cut.
   * - `middle`: In the middle
   * - `head`: At the end
   * - `json-aware`: Between the elements of a list in JSON
   * @default "middle"
   */
  cut?: "middle" | "head" | "json-aware";
  /**
   * Copilot: the language of the SDK.
   * - `rust`: Rust
   * - `node`: JavaScript
   * - `python`: Python
   * - `go`: Go
   * - `dotnet`: .NET
   * @default "rust"
   */
  flavor?: "rust" | "node" | "python" | "go" | "dotnet";
  /**
   * Gemini, Bedrock: which models are asked.
   * - `newest`: The newest
   * - `gemini2`: Gemini 2, which takes no pictures in results
   * - `openai`: OpenAI's on Bedrock, which take text alone
   * @default "newest"
   */
  family?: "newest" | "gemini2" | "openai";
  /**
   * OpenAI Chat: the model hears, so that sounds follow the result.
   */
  hears?: boolean;
}

/** A host, an SDK or an API. */
export type Target = Settings["to"];
