// The official TypeScript SDK with the one equivalent tool: no sessions, answers in JSON.

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const LENGTH = 25;

const sha256 = (bytes) => createHash('sha256').update(bytes).digest();

// Base58 of 25 bytes, of which the last four are a checksum.
function isValid(text) {
    let number = 0n;
    for (const character of text) {
        const value = DIGITS.indexOf(character);
        if (value < 0) return false;
        number = number * 58n + BigInt(value);
        if (number >> BigInt(8 * LENGTH)) return false;
    }
    const bytes = Buffer.from(number.toString(16).padStart(2 * LENGTH, '0'), 'hex');
    if (bytes[0] !== 58 && bytes[0] !== 23) return false;
    return sha256(sha256(bytes.subarray(0, -4))).subarray(0, 4).equals(bytes.subarray(-4));
}

const tool = {
    description: 'Whether a text is a valid Qortal address.',
    inputSchema: z.object({ address: z.string() }),
    outputSchema: z.object({ address: z.string(), isValid: z.boolean() }),
};

// Without sessions each request has a server and a transport of its own, as the SDK's documentation says.
createServer(async (request, response) => {
    const server = new McpServer({ name: 'typescript-peer', version: '1.0.0' });
    server.registerTool('validate_address', tool, async ({ address }) => {
        const answer = { address, isValid: isValid(address) };
        return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
    });
    const transport = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: undefined,
        enableJsonResponse: true,
    });
    await server.connect(transport);
    await transport.handleRequest(request, response);
    response.on('close', () => server.close());
}).listen(Number(process.argv[2]), '127.0.0.1');
