// Package mcpconvert converts what MCP servers send to the shapes of hosts, SDKs and model APIs, by the WebAssembly module of
// qortal-mcp-convert in wazero. Copy this file into your module.
package mcpconvert

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// Report is the outcome of a conversion.
type Report struct {
	// Output is the tool's message.
	Output json.RawMessage `json:"output"`
	// FollowUp has parts for a user message after it.
	FollowUp []json.RawMessage `json:"follow_up,omitempty"`
	// Losses names what the model does not get.
	Losses []Loss `json:"losses"`
}

// Loss is one thing that the model does not get, or gets in another form.
type Loss struct {
	Code  string `json:"code"`
	Index *int   `json:"index,omitempty"`
	Text  string `json:"text"`
}

// Converter is an instance of the module, for any number of goroutines.
type Converter struct {
	lock   sync.Mutex
	module api.Module
}

// New compiles the module, which imports nothing.
func New(ctx context.Context, wasm []byte) (*Converter, error) {
	module, err := wazero.NewRuntime(ctx).Instantiate(ctx, wasm)
	if err != nil {
		return nil, err
	}
	return &Converter{module: module}, nil
}

// Convert converts a value by the settings, whose names are those of the flags in camel case, and reads the report into the last argument:
// a *Report, or any other type.
func (c *Converter) Convert(ctx context.Context, settings, value, report any) error {
	request, err := json.Marshal(map[string]any{"settings": settings, "value": value})
	if err != nil {
		return err
	}
	text, err := c.answer(ctx, request)
	if err != nil {
		return err
	}
	var answer struct {
		Value json.RawMessage
		Error *string
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return err
	}
	if answer.Error != nil {
		return errors.New(*answer.Error)
	}
	return json.Unmarshal(answer.Value, report)
}

func (c *Converter) answer(ctx context.Context, request []byte) ([]byte, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	at, err := c.number(ctx, "request", uint64(len(request)))
	if err != nil {
		return nil, err
	}
	if !c.module.Memory().Write(at, request) {
		return nil, errors.New("the request does not fit")
	}
	if at, err = c.number(ctx, "convert"); err != nil {
		return nil, err
	}
	length, err := c.number(ctx, "length")
	if err != nil {
		return nil, err
	}
	text, isThere := c.module.Memory().Read(at, length)
	if !isThere {
		return nil, errors.New("the answer is outside of the memory")
	}
	// The next call writes over it.
	return append([]byte(nil), text...), nil
}

func (c *Converter) number(ctx context.Context, name string, arguments ...uint64) (uint32, error) {
	found, err := c.module.ExportedFunction(name).Call(ctx, arguments...)
	if err != nil {
		return 0, err
	}
	return api.DecodeU32(found[0]), nil
}
