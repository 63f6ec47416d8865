// A program on ai and @ai-sdk/google: `node ai.mjs sound|broken`, with the server in GOOGLE_GEMINI_BASE_URL. Writes
// messages.json, steps.json, ui.json and .devtools/generations.json into the folder it runs in. In what is broken one tool is nobody's to run.
import { writeFileSync } from 'node:fs';
import { devToolsMiddleware } from '@ai-sdk/devtools';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { generateText, readUIMessageStream, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai';
import { z } from 'zod';

const broken = process.argv[2] === 'broken';
const google = createGoogleGenerativeAI({ apiKey: 'none', baseURL: `${process.env.GOOGLE_GEMINI_BASE_URL}/v1beta` });
const inputSchema = z.object({ city: z.string() });
const asked = {
  model: wrapLanguageModel({ model: google('gemini-2.5-flash'), middleware: devToolsMiddleware() }),
  prompt: 'What is the weather, and where can I go? [[call=get_weather,find_flights]]',
  stopWhen: stepCountIs(3),
  tools: {
    get_weather: tool({ description: 'The weather.', inputSchema, execute: async () => 'sunny' }),
    find_flights: tool({ description: 'Flights.', inputSchema, ...(broken ? {} : { execute: async () => 'none' }) }),
  },
};

const said = await generateText(asked);
writeFileSync('messages.json', JSON.stringify(said.response.messages));
writeFileSync('steps.json', JSON.stringify(said.steps, null, 1));
let last;
for await (const message of readUIMessageStream({ stream: streamText(asked).toUIMessageStream() })) last = message;
writeFileSync('ui.json', JSON.stringify([last]));
