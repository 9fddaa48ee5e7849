// Made from the flags of mcp-convert by `cargo xtask codegen`.

/** For whom a value is converted, and how. */
export interface Settings {
  /**
   * Target of the conversion: a host, an SDK or an API.
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
   * API behind the framework, required for langchain, ai-sdk, pydantic-ai, llama-index and strands.
   * - `any`: Any API: output that one of them rejects is sent anyway
   * - `anthropic`: Anthropic Messages
   * - `openai`: OpenAI Responses
   * - `openai-chat`: OpenAI Chat Completions
   * - `google`: Gemini API
   * - `bedrock`: Amazon Bedrock Converse
   */
  for?: "any" | "anthropic" | "openai" | "openai-chat" | "google" | "bedrock";
  /**
   * Kind of the input.
   * - `result`: The result of tools/call
   * - `prompt`: The result of prompts/get
   * - `resource`: The result of resources/read
   * - `tools`: The result of tools/list
   * @default "result"
   */
  kind?: "result" | "prompt" | "resource" | "tools";
  /**
   * Converter whose output is matched.
   * - `rich`: None. Everything that the target can carry is kept
   * - `compat`: The vendor's own converter with its gaps, for ai-sdk (7), anthropic, copilot and langchain
   * @default "rich"
   */
  preset?: "rich" | "compat";
  /**
   * Whether a loss is an error.
   */
  lossless?: boolean;
  /**
   * ID of the call that the result belongs to.
   * @default "call_1"
   */
  callId?: string;
  /**
   * Name of the called tool.
   * @default "tool"
   */
  tool?: string;
  /**
   * Parts to convert: the blocks, the structured value or both.
   * - `both`: Both, with duplicates sent once
   * - `content-only`: The blocks
   * - `structured-only`: The structured value, if there is one
   * - `content-unless-empty`: The blocks, if there are any
   * @default "both"
   */
  prefer?: "both" | "content-only" | "structured-only" | "content-unless-empty";
  /**
   * Handling of blocks that are only for the user.
   * - `ignore`: Send them to the model
   * - `respect`: Hold them back
   * @default "ignore"
   */
  audience?: "ignore" | "respect";
  /**
   * Handling of links.
   * - `text`: Text
   * - `images`: Let the provider fetch links to images, and for langchain the host or the provider all https links
   * @default "text"
   */
  links?: "text" | "images";
  /**
   * Maximum size of the text, in bytes.
   */
  maxBytes?: number;
  /**
   * Maximum size of the text, in characters.
   */
  maxChars?: number;
  /**
   * Maximum size of each image, audio and file, in bytes.
   */
  maxMediaBytes?: number;
  /**
   * Place where text is cut.
   * - `middle`: In the middle
   * - `head`: At the end
   * - `json-aware`: Between the elements of a list in JSON
   * @default "middle"
   */
  cut?: "middle" | "head" | "json-aware";
  /**
   * Copilot: language of the SDK.
   * - `rust`: Rust
   * - `node`: JavaScript
   * - `python`: Python
   * - `go`: Go
   * - `dotnet`: .NET
   * @default "rust"
   */
  flavor?: "rust" | "node" | "python" | "go" | "dotnet";
  /**
   * Gemini, Bedrock: models that receive the output.
   * - `newest`: The newest models
   * - `gemini2`: Gemini 2, which accepts no images in results
   * - `openai`: OpenAI models on Bedrock, which accept only text
   * @default "newest"
   */
  family?: "newest" | "gemini2" | "openai";
  /**
   * OpenAI Chat: whether the model accepts audio, which then follows the result.
   */
  hears?: boolean;
}

/** A host, an SDK or an API. */
export type Target = Settings["to"];
