// A page of the browser: navigation, scripts, and the record of what the page did.

import Foundation

/// A page, as a tab of its own.
actor BrowserPage {
    private let browser: Browser
    private let session: String
    private var currentLoad = Promise<Void>()

    /// The addresses of all requests, without those of `data:`.
    private(set) var requests: [URL] = []
    /// The messages of the console, the exceptions of scripts, and what the browser reports, such as a refused style.
    private(set) var messages: [String] = []

    init(browser: Browser, session: String) {
        self.browser = browser
        self.session = session
    }

    // MARK: Events

    func receive(_ method: String, _ message: Data) {
        func parameters<Parameters: Decodable>(_ type: Parameters.Type) -> Parameters? {
            try? JSONDecoder().decode(DevToolsEvent<Parameters>.self, from: message).params
        }
        switch method {
        case "Page.loadEventFired":
            currentLoad.resolve(.success(()))
        case "Page.frameNavigated":
            // The page was kept in memory, and does not load again.
            if parameters(DevToolsEvents.FrameNavigated.self)?.type == "BackForwardCacheRestore" {
                currentLoad.resolve(.success(()))
            }
        case "Network.requestWillBeSent":
            guard let url = parameters(DevToolsEvents.RequestWillBeSent.self).flatMap({ URL(string: $0.request.url) })
            else { break }
            if url.scheme != "data" { requests.append(url) }
        case "Runtime.consoleAPICalled":
            guard let call = parameters(DevToolsEvents.ConsoleCalled.self) else { break }
            messages.append("console.\(call.type) \(call.args.map { $0.description ?? $0.type })")
        case "Runtime.exceptionThrown":
            guard let thrown = parameters(DevToolsEvents.ExceptionThrown.self) else { break }
            messages.append(thrown.exceptionDetails.description)
        case "Log.entryAdded":
            guard let entry = parameters(DevToolsEvents.LogEntry.self)?.entry else { break }
            messages.append("\(entry.level): \(entry.text) \(entry.url ?? "")")
        default: break
        }
    }

    func end(_ error: BrowserError) { currentLoad.resolve(.failure(error)) }

    // MARK: Navigation

    /// Opens an address, and waits until the page is loaded.
    func open(_ address: String) async throws {
        try await load {
            if let error = try await self.send(DevTools.Navigate(url: address)).errorText {
                throw BrowserError("\(address): \(error)")
            }
        }
    }

    /// Reloads the page, and waits until it is loaded.
    func reload() async throws { try await load { _ = try await self.send(DevTools.Reload()) } }

    /// Goes back in the history, as the button does, and waits until the page is loaded.
    func back() async throws {
        try await load { _ = try await self.send(DevTools.Evaluate(expression: "history.back()")) }
    }

    /// Goes forward in the history, and waits until the page is loaded.
    func forward() async throws {
        try await load { _ = try await self.send(DevTools.Evaluate(expression: "history.forward()")) }
    }

    /// Does what makes the browser load a page, and waits until it is loaded.
    func load(by action: @Sendable () async throws -> Void) async throws {
        let load = Promise<Void>()
        currentLoad = load
        try await action()
        try await load.value(of: "the load of a page")
    }

    // MARK: Scripts

    /// Evaluates an expression of JavaScript, whose value can be a promise.
    ///
    /// - Returns: The value, through JSON.
    func evaluate<Value: Decodable>(_ expression: String, as type: Value.Type = Value.self) async throws -> Value {
        let script = "(async () => JSON.stringify([await (\(expression))]))()"
        let reply = try await send(DevTools.Evaluate(expression: script))
        if let details = reply.exceptionDetails { throw BrowserError("\(details.description) in \(expression)") }
        let values = try JSONDecoder().decode([Value].self, from: Data((reply.result.value ?? "[]").utf8))
        guard let value = values.first else { throw BrowserError("no value of \(expression)") }
        return value
    }

    /// The address of the page.
    var address: URL {
        get async throws {
            let text = try await evaluate("location.href", as: String.self)
            guard let url = URL(string: text) else { throw BrowserError("not an address: \(text)") }
            return url
        }
    }

    /// The visible text of the first element for a selector of CSS.
    func text(of selector: String = "body") async throws -> String {
        guard
            let text = try await evaluate("document.querySelector(\(quoted(selector)))?.innerText", as: String?.self)
        else { throw BrowserError("no element \(selector)") }
        return text
    }

    /// The visible texts of all elements for a selector.
    func texts(of selector: String) async throws -> [String] {
        try await evaluate("[...document.querySelectorAll(\(quoted(selector)))].map(element => element.innerText)")
    }

    /// Waits until a condition of JavaScript holds, which is tested after each change of the page.
    func wait(until condition: String) async throws {
        let script = """
            new Promise(resolve => {
                const test = () => { if (\(condition)) { observer.disconnect(); resolve(true) } }
                const observer = new MutationObserver(test)
                observer.observe(document, { attributes: true, characterData: true, childList: true, subtree: true })
                test()
            })
            """
        _ = try await evaluate(script, as: Bool.self)
    }

    /// Returns a text as a literal of JavaScript.
    nonisolated func quoted(_ text: String) -> String {
        let json = (try? JSONEncoder().encode([text])).map { String(decoding: $0, as: UTF8.self) } ?? "[null]"
        return "(\(json)[0])"
    }

    func send<Command: DevToolsCommand>(_ command: Command) async throws -> Command.Reply {
        try await browser.send(command, to: session)
    }
}
