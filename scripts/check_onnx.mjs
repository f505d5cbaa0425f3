// Checks exported policies with onnxruntime-web, the runtime of browsers, here in Node.
//
//     node check_onnx.mjs EXPORT...
//
// On every recorded example of policy.json the outputs are within 1e-4 of the recorded ones and the likeliest action is the
// recorded one (or one whose share is as large to within 1e-6). Examples are asked one by one and all in one batch.
// The package is looked for in the folder that this is called in, not in that of this file.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.cwd(), "package.json"));
const ort = require("onnxruntime-web");
const { version } = JSON.parse(readFileSync(join(process.cwd(), "node_modules/onnxruntime-web/package.json"), "utf8"));
ort.env.wasm.numThreads = 1;

const TOLERANCE = 1e-4;
const TIE = 1e-6;
const NAMES = ["logits", "policy", "value"];

function require_(holds, complaint) {
  if (!holds) throw new Error(complaint);
}

async function check(folder) {
  const card = JSON.parse(readFileSync(join(folder, "policy.json"), "utf8"));
  const session = await ort.InferenceSession.create(new Uint8Array(readFileSync(join(folder, card.model.file))));
  const width = card.observation.length;
  const actions = card.actions.count;

  const ask = (examples) => {
    const observation = Float32Array.from(examples.flatMap((example) => example.observation));
    const mask = new Uint8Array(examples.length * actions);
    examples.forEach((example, row) => example.legal.forEach((action) => (mask[row * actions + action] = 1)));
    return session.run({
      observation: new ort.Tensor("float32", observation, [examples.length, width]),
      mask: new ort.Tensor("bool", mask, [examples.length, actions]),
    });
  };

  let worst = 0;
  let same = 0;
  const compare = (examples, outputs) => {
    for (const name of NAMES) {
      const expected = examples.flatMap((example) => example[name]);
      require_(outputs[name].data.length === expected.length, `${name} has another size`);
      expected.forEach((number, at) => {
        const difference = Math.abs(outputs[name].data[at] - Math.fround(number));
        require_(difference <= TOLERANCE, `${name} differs by ${difference}`);
        worst = Math.max(worst, difference);
      });
    }
    examples.forEach((example, row) => {
      const policy = outputs.policy.data.slice(row * actions, (row + 1) * actions);
      const best = policy.indexOf(Math.max(...policy));
      same += best === example.best;
      require_(example.policy[example.best] - example.policy[best] <= TIE, "another action is best");
    });
  };

  const examples = card.examples;
  require_(examples.length >= 8, `${examples.length} examples`);
  compare(examples, await ask(examples));
  same = 0;
  for (const example of examples) compare([example], await ask([example]));
  console.log(
    `${folder}: ${card.game.id}, ${examples.length} examples, largest difference ${worst.toExponential(1)}, ` +
      `same best action in ${same} (onnxruntime-web ${version})`,
  );
}

for (const folder of process.argv.slice(2)) await check(folder);
