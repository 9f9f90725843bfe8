// Cortex, the memory of this project, for OpenCode. "cortex init" writes this file
// and "cortex uninstall" removes it. It does nothing where cortex is not installed.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const usual = [
  join(homedir(), "go", "bin"),
  join(homedir(), ".local", "bin"),
  "/usr/local/bin",
  "/opt/homebrew/bin",
];
const patience = 12_000; // milliseconds; cortex gives up sooner

// hook runs a hook of cortex and resolves to what it answers, {} for nothing.
function hook(event, directory, payload) {
  return new Promise((resolve) => {
    const env = {
      ...process.env,
      PATH: [process.env.PATH ?? "", ...usual].join(delimiter),
    };
    const args = ["hook", event, "--agent", "opencode"];
    const child = spawn("cortex", args, {
      cwd: directory,
      env,
      stdio: ["pipe", "pipe", "ignore"],
      windowsHide: true,
    });
    const late = setTimeout(() => child.kill("SIGKILL"), patience);
    let said = "";
    child.stdout.on("data", (data) => (said += data));
    child.stdin.on("error", () => {});
    child.on("error", () => done("{}"));
    child.on("close", () => done(said));
    child.stdin.end(JSON.stringify({ cwd: directory, ...payload }));
    function done(text) {
      clearTimeout(late);
      try {
        resolve(JSON.parse(text).hookSpecificOutput ?? {});
      } catch {
        resolve({});
      }
    }
  });
}

export const Cortex = async ({ client, directory }) => {
  const briefings = new Map(); // of sessions, the same in every request so that the model's cache holds
  const busy = new Map(); // captures under way, by session
  const running = new Set(); // sessions of this process

  const info = async (id) => (await client.session.get({ path: { id } })).data;

  // name is what cortex calls a session: that of a subagent stands behind the one that started it.
  const name = (session) =>
    session.parentID ? session.parentID + "/" + session.id : session.id;

  async function briefing(id) {
    const session = await info(id);
    if (!session) return "";
    if (session.parentID) {
      const of = { session_id: session.parentID, agent_id: id };
      return (
        (await hook("subagent-start", directory, of)).additionalContext ?? ""
      );
    }
    const sessions = await others(id);
    const said = await hook("session-start", directory, {
      session_id: id,
      source: "startup",
      sessions,
    });
    for (const other of said.unread ?? [])
      inTurn("stop", other.split("/").pop(), true);
    return said.additionalContext ?? "";
  }

  // told resolves to the briefing of a session, which begins for cortex when it is asked for.
  function told(id) {
    if (!briefings.has(id))
      briefings.set(
        id,
        briefing(id).catch(() => ""),
      );
    return briefings.get(id);
  }

  // others lists the sessions of this folder that do not run here: cortex says which it has not read.
  async function others(id) {
    try {
      const all = (await client.session.list()).data ?? [];
      return all
        .filter(
          (other) =>
            other.directory === directory &&
            other.id !== id &&
            other.parentID !== id &&
            !busy.has(other.id),
        )
        .map((other) => ({
          id: name(other),
          updated: Math.trunc(other.time?.updated ?? 0),
        }));
    } catch {
      return [];
    }
  }

  // capture hands the session over as "opencode export" would write it.
  async function capture(event, id, past) {
    const session = await info(id);
    const messages = (await client.session.messages({ path: { id } })).data;
    if (!session || !messages?.length) return;
    const folder = await mkdtemp(join(tmpdir(), "cortex-"));
    try {
      const file = join(folder, id.replace(/[^A-Za-z0-9_-]/g, "_") + ".json");
      await writeFile(file, JSON.stringify({ info: session, messages }), {
        mode: 0o600,
      });
      const updated = Math.trunc(session.time?.updated ?? 0);
      await hook(event, directory, {
        session_id: name(session),
        transcript_path: file,
        updated,
        past,
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  // inTurn captures a session once it was captured before. Nothing that fails here
  // may reach OpenCode.
  function inTurn(event, id, past = false) {
    if (!past) running.add(id);
    const next = (busy.get(id) ?? Promise.resolve())
      .then(() => capture(event, id, past))
      .catch(() => {});
    busy.set(id, next);
    return next;
  }

  return {
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      const text = sessionID && (await told(sessionID));
      if (text) output.system.push(text);
    },
    "chat.message": async ({ sessionID }, output) => {
      await told(sessionID); // OpenCode asks for it later
      const typed = output.parts.filter(
        (part) => part.type === "text" && !part.synthetic,
      );
      const prompt = typed.map((part) => part.text).join("\n");
      const { additionalContext: text } = await hook(
        "user-prompt-submit",
        directory,
        { session_id: sessionID, prompt },
      );
      if (!text) return;
      const id =
        "prt_" +
        Date.now().toString(16) +
        Math.random().toString(36).slice(2, 14);
      output.parts.push({
        id,
        sessionID,
        messageID: output.message.id,
        type: "text",
        text,
        synthetic: true,
      });
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, output) => {
      if (!existsSync(join(directory, ".cortex", "guards"))) return;
      const said = await hook("pre-tool-use", directory, {
        session_id: sessionID,
        tool_name: tool,
        tool_use_id: callID,
        tool_input: output.args,
      });
      if (said.permissionDecision)
        throw new Error(said.permissionDecisionReason);
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
      const code = output.metadata?.exit;
      if (tool !== "bash" || !code || typeof output.output !== "string") return;
      const { additionalContext: text } = await hook(
        "post-tool-use-failure",
        directory,
        {
          session_id: sessionID,
          tool_name: tool,
          tool_use_id: callID,
          tool_input: { command: args?.command },
          error: "Exit code " + code + "\n" + output.output.slice(-16_384),
        },
      );
      if (text) output.output += "\n\n" + text;
    },
    "experimental.session.compacting": async ({ sessionID }) => {
      await inTurn("pre-compact", sessionID);
    },
    event: async ({ event }) => {
      if (event.type === "session.idle")
        await inTurn("stop", event.properties.sessionID);
    },
    dispose: async () => {
      await Promise.all([...running].map((id) => inTurn("session-end", id)));
      await Promise.all(busy.values());
    },
  };
};
