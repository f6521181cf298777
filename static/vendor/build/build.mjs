// Builds static/vendor from the pinned packages. The same input gives the same bytes.
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = dirname(here);
const packages = join(here, "node_modules");
const written = [];

async function put(name, text, source) {
  const path = join(target, name);
  await mkdir(dirname(path), { recursive: true });
  // Source maps are not shipped, so nothing may point at them.
  const clean = text.replace(/\n?\/[*/][#@] sourceMappingURL=.*?(\*\/)?\s*$/s, "\n");
  await writeFile(path, clean);
  written.push({ name, source, bytes: Buffer.byteLength(clean), sha256: createHash("sha256").update(clean).digest("hex") });
}

const read = (path) => readFile(join(packages, path), "utf8");

async function copy(name, path, source) {
  await put(name, await read(path), source);
}

async function minify(name, path, source) {
  const { code } = await transform(await read(path), { minify: true, loader: "js", legalComments: "inline" });
  await put(name, code, source);
}

async function bundle(name, entry, source) {
  const result = await build({
    entryPoints: [join(here, entry)], bundle: true, minify: true, format: "iife", target: "es2020",
    write: false, legalComments: "none",
  });
  await put(name, result.outputFiles[0].text, source);
}

async function sprite() {
  const names = (await readFile(join(here, "icons.txt"), "utf8")).split("\n").filter(Boolean);
  const symbols = await Promise.all(names.map(async (name) => {
    const svg = await read(`@tabler/icons/icons/outline/${name}.svg`);
    const body = svg.replace(/^[\s\S]*?<svg[^>]*>/, "").replace(/<\/svg>\s*$/, "").replace(/\s*\n\s*/g, "");
    return `<symbol id="${name}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round">${body}</symbol>`;
  }));
  await put("icons.svg", `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join("\n")}\n</svg>\n`, "@tabler/icons");
}

async function describe(pin) {
  const meta = JSON.parse(await read(`${pin}/package.json`));
  return `${pin} ${meta.version} | ${meta.license}`;
}

async function readme() {
  const rows = await Promise.all(written.map(async (file) =>
    `| \`${file.name}\` | ${await describe(file.source)} | ${file.bytes.toLocaleString("en")} | \`${file.sha256}\` |`));
  const text = [
    "# Vendored assets", "",
    "Served from this host, never from another. Written by `make vendor` (`build/build.mjs`, versions pinned in",
    "`build/package-lock.json`); do not edit by hand. htmx and its SSE extension come with the Python package",
    "`django-htmx`. Licences of the packages are in `licences/`.", "",
    "| file | package | licence | bytes | sha256 |", "| --- | --- | --- | --: | --- |", ...rows, "",
  ].join("\n");
  await writeFile(join(target, "README.md"), text);
}

async function licences() {
  const files = {
    "tabler.txt": "@tabler/core/LICENSE", "tabler-icons.txt": "@tabler/icons/LICENSE",
    "codemirror.txt": "codemirror/LICENSE", "uplot.txt": "uplot/LICENSE", "jsdiff.txt": "diff/LICENSE",
    "sortablejs.txt": "sortablejs/LICENSE",
  };
  await mkdir(join(target, "licences"), { recursive: true });
  for (const [name, path] of Object.entries(files)) {
    await writeFile(join(target, "licences", name), await read(path).catch(() => "See the head of the file.\n"));
  }
}

for (const folder of ["tabler", "codemirror", "sortablejs", "uplot", "jsdiff"]) {
  await rm(join(target, folder), { recursive: true, force: true });
}
await copy("tabler/tabler.min.css", "@tabler/core/dist/css/tabler.min.css", "@tabler/core");
await copy("tabler/tabler.min.js", "@tabler/core/dist/js/tabler.min.js", "@tabler/core");
await bundle("codemirror/json-editor.min.js", "codemirror-json.js", "codemirror");
await copy("sortablejs/sortable.min.js", "sortablejs/Sortable.min.js", "sortablejs");
await copy("uplot/uplot.min.js", "uplot/dist/uPlot.iife.min.js", "uplot");
await copy("uplot/uplot.min.css", "uplot/dist/uPlot.min.css", "uplot");
await minify("jsdiff/diff.min.js", "diff/dist/diff.js", "diff");
await sprite();
await licences();
await readme();
