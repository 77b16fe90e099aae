// Shows a page of HTML in headless Chromium, at two widths, light, dark and printed, and prints a line for each fault.
// node page.mjs CHROMIUM FILE [FOLDER]: pictures of what it looked at go to the folder.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [chromium, file, pictures] = process.argv.slice(2);
const address = pathToFileURL(file).href;

// The functions up to `lookAt` run in the page.

const nameOf = (element) => `${element.tagName.toLowerCase()} "${element.textContent.trim().slice(0, 40)}"`;

function findMarkup(found) {
    for (const element of document.querySelectorAll("*")) {
        for (const { name, value } of element.attributes) {
            if (/^on/i.test(name) || /^\s*javascript:/i.test(value)) found.add(`has a script in ${name}`);
        }
    }
    if (document.scripts.length > 0) found.add("has a script");
    const policy = document.querySelector("meta[http-equiv='Content-Security-Policy']")?.content ?? "";
    if (!policy.startsWith("default-src 'none';") || policy.includes("script-src")) found.add(`has policy ${policy}`);
}

/** Returns the numbers of `rgb(1, 2, 3)`. */
const channels = (color) => color.match(/[\d.]+/g).map(Number);

function brightness(color) {
    const [r, g, b] = color.slice(0, 3).map((value) => value / 255)
        .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function background(element) {
    for (let at = element; at; at = at.parentElement) {
        const color = channels(getComputedStyle(at).backgroundColor);
        if (color.length < 4 || color[3] === 1) return color;
    }
    return [255, 255, 255];
}

/** WCAG 2.2, 1.4.3 and 1.4.11. */
function findContrast(found, element, color, behind, least) {
    const [one, other] = [brightness(channels(color)), brightness(background(behind))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (ratio < least) found.add(`has a contrast of ${ratio.toFixed(1)} in ${nameOf(element)}`);
}

/** Returns the boxes of the lines of all texts. */
function findLines(found, isPrinted) {
    const lines = [];
    const { clientWidth } = document.documentElement;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const node = texts.currentNode;
        const element = node.parentElement;
        if (!node.data.trim() || element.closest("title, script, style")) continue;
        if (!element.checkVisibility({ contentVisibilityAuto: true })) {
            found.add(`hides ${nameOf(element)}`);
            continue;
        }
        findContrast(found, element, getComputedStyle(element).color, element, 4.5);
        const box = element.closest(".t")?.getBoundingClientRect();
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const line of range.getClientRects()) {
            const isCut = line.left < -1 || line.right > clientWidth + 1;
            if (isCut && (isPrinted || !box)) found.add(`cuts ${nameOf(element)}`);
            const [left, right] = [Math.max(line.left, box?.left ?? 0), Math.min(line.right, box?.right ?? line.right)];
            if (right > left) lines.push({ node, element, left, right, top: line.top, bottom: line.bottom });
        }
    }
    return lines.sort((one, other) => one.top - other.top);
}

function faults(isPrinted) {
    const found = new Set();
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.add(`is ${scrollWidth} pixels wide`);
    findMarkup(found);
    const lines = findLines(found, isPrinted);
    lines.forEach((one, index) => {
        for (const other of lines.slice(index + 1)) {
            if (other.top > one.bottom) break;
            const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
            const height = Math.min(one.bottom, other.bottom) - other.top;
            if (one.node === other.node || width < 2 || height < 3) continue;
            found.add(`has ${nameOf(one.element)} on ${nameOf(other.element)}`);
        }
    });
    for (const bar of document.querySelectorAll(".b > i")) {
        findContrast(found, bar, getComputedStyle(bar).backgroundColor, bar.parentElement, 3);
    }
    for (const bar of document.querySelectorAll("svg rect")) {
        findContrast(found, bar, getComputedStyle(bar).fill, bar.closest("svg"), 3);
    }
    return [...found];
}

const lookAt = [nameOf, channels].map((one) => `const ${one.name} = ${one};`)
    .concat([findMarkup, brightness, background, findContrast, findLines, faults].map(String)).join("\n");

// The browser, by messages of the DevTools protocol that end with NUL.

const profile = mkdtempSync(join(tmpdir(), "page-"));
const browser = spawn(chromium, [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
    "--host-resolver-rules=MAP * ~NOTFOUND", "--disable-background-networking", "--disable-component-update",
    "--no-first-run", `--user-data-dir=${profile}`, "about:blank",
], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
const waiting = new Map();
const requested = new Set();
let [number, received, loaded] = [0, "", () => {}];

browser.stdio[4].setEncoding("utf8").on("data", (text) => {
    const messages = (received + text).split("\0");
    received = messages.pop();
    for (const { id, method, params, error, result } of messages.map(JSON.parse)) {
        if (id) waiting.get(id)({ error, result });
        if (method === "Network.requestWillBeSent") requested.add(params.request.url);
        if (method === "Page.loadEventFired") loaded();
    }
});
const ended = new Promise((resolve) => browser.on("close", resolve).on("error", resolve));
ended.then(() => waiting.forEach((end) => end({ error: { message: "Chromium ended" } })));
browser.stdio[3].on("error", () => {});
setTimeout(() => browser.kill("SIGKILL"), 60_000).unref();

async function send(method, params = {}, sessionId = undefined) {
    const id = ++number;
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    browser.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    const { error, result } = await answer;
    waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
}

async function show() {
    const { targetId } = await send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
    const page = (method, params) => send(method, params, sessionId);
    const evaluate = async (expression) => {
        const { result, exceptionDetails } = await page("Runtime.evaluate", { expression, returnByValue: true });
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
    };
    await page("Network.enable");
    await page("Page.enable");
    for (const [width, media] of [[1280, "screen"], [400, "screen"], [720, "print"]]) {
        for (const color of ["light", "dark"]) {
            const features = [{ name: "prefers-color-scheme", value: color }];
            const size = { width, height: 900, deviceScaleFactor: 1, mobile: false };
            await page("Emulation.setDeviceMetricsOverride", size);
            await page("Emulation.setEmulatedMedia", { media, features });
            const load = new Promise((resolve) => { loaded = resolve; });
            await page("Page.navigate", { url: address });
            await load;
            if (media === "screen") await evaluate("for (const d of document.querySelectorAll('details')) d.open = true");
            const found = await evaluate(`${lookAt}\nfaults(${media === "print"})`);
            const way = `${media} ${width} ${color}`;
            for (const fault of found) console.log(`${way}: ${fault}`);
            if (!pictures) continue;
            const { data } = await page("Page.captureScreenshot", { captureBeyondViewport: true });
            writeFileSync(join(pictures, `${way.replaceAll(" ", "-")}.png`), data, "base64");
        }
    }
    await page("Emulation.setEmulatedMedia", { media: "", features: [] });
    const { data } = await page("Page.printToPDF", {});
    if (pictures) writeFileSync(join(pictures, "print.pdf"), data, "base64");
    if (!/\/Type\s*\/Page\b/.test(Buffer.from(data, "base64").toString("latin1"))) console.log("print: has no pages");
    requested.delete(address);
    for (const url of requested) console.log(`requests ${url}`);
}

try {
    await show();
    await send("Browser.close");
} catch (error) {
    console.error(error.message);
    process.exitCode = 1;
    browser.kill("SIGKILL");
}
await ended;
rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
