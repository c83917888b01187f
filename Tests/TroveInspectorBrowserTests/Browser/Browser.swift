// A real browser: headless Chromium, with pages that tests read, click and type into.

import Foundation

/// A running browser.
actor Browser {
    /// Whether the tests can run, or must: continuous integration sets the variable, so that a missing browser fails.
    static let isExpected =
        BrowserProcess.installed != nil || ProcessInfo.processInfo.environment["TROVE_BROWSER_REQUIRED"] != nil

    private let process: BrowserProcess
    private var lastMessage = 0
    private var replies: [Int: Promise<Data>] = [:]
    private var pages: [String: BrowserPage] = [:]
    private var hasEnded = false

    /// Starts the browser.
    static func start() throws -> Browser {
        let browser = try Browser(BrowserProcess())
        Task { [weak browser, messages = browser.process.messages] in
            for await message in messages { await browser?.receive(message) }
            await browser?.end()
        }
        return browser
    }

    private init(_ process: BrowserProcess) { self.process = process }

    /// Opens an empty page with cookies of its own.
    func newPage(width: Int = 1280, height: Int = 800) async throws -> BrowserPage {
        let context = try await send(DevTools.CreateContext())
        let target = try await send(DevTools.CreatePage(browserContextId: context.browserContextId))
        let session = try await send(DevTools.Attach(targetId: target.targetId)).sessionId
        let page = BrowserPage(browser: self, session: session)
        pages[session] = page
        _ = try await send(DevTools.EnablePage(), to: session)
        _ = try await send(DevTools.EnableNetwork(), to: session)
        _ = try await send(DevTools.EnableRuntime(), to: session)
        _ = try await send(DevTools.EnableLog(), to: session)
        try await page.resize(width: width, height: height)
        return page
    }

    /// Ends the browser.
    func close() { process.close() }

    /// Sends a command to the browser or, with a session, to a page. Returns the reply.
    func send<Command: DevToolsCommand>(_ command: Command, to session: String? = nil) async throws -> Command.Reply {
        guard !hasEnded else { throw endError }
        lastMessage += 1
        let reply = Promise<Data>()
        replies[lastMessage] = reply
        let message = DevToolsMessage(id: lastMessage, params: command, sessionId: session)
        try process.send(JSONEncoder().encode(message))
        let data = try await reply.value(of: "the reply to \(Command.method)")
        return try JSONDecoder().decode(DevToolsReply<Command.Reply>.self, from: data).result
    }

    private func receive(_ message: Data) async {
        guard let envelope = try? JSONDecoder().decode(DevToolsEnvelope.self, from: message) else { return }
        if let id = envelope.id {
            let failure = envelope.error.map { BrowserError($0.message) }
            replies.removeValue(forKey: id)?.resolve(failure.map { .failure($0) } ?? .success(message))
        } else if let method = envelope.method, let page = envelope.sessionId.flatMap({ pages[$0] }) {
            await page.receive(method, message)
        }
    }

    private func end() async {
        hasEnded = true
        for reply in replies.values { reply.resolve(.failure(endError)) }
        replies = [:]
        for page in pages.values { await page.end(endError) }
    }

    private var endError: BrowserError { BrowserError("the browser has ended: \(process.errors)") }
}
