// The shell of `trove sql` in a terminal: prompts, edited lines, a history, and Ctrl-C.

#if CommandLine
import Dispatch
import Foundation
import LMDB
import TroveSQL
import TroveTerminal

/// The shell of SQL in a terminal. Errors of statements do not end it.
final class InteractiveShell {
    private let shell: SQLShell
    private var reader = StatementReader()
    /// The lines of the statement that has begun.
    private var begun: [String] = []
    private let interruptions = InterruptSignal()
    private static let prompt = "trove> "
    private static let continuation = "   ...> "

    init(_ shell: SQLShell) { self.shell = shell }

    /// Reads and runs lines until the user ends the shell.
    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        try begin()
        if EditedTerminal.isAvailable(environment) {
            try runEdited(environment)
        } else {
            try runPlain()
        }
        try shell.flush()
    }

    /// Says what statements can do. Asks whether they may write, if they could.
    private func begin() throws {
        let path = shell.store.path
        let tables = try shell.store.read { try $0.sqlWriteObstacles() }
        if shell.runner.mayWrite {
            try shell.output.printNote("\(path): statements can change and delete records.")
            let written = tables.filter { $0.reason == nil }.map { $0.table }
            try shell.output.printNote("to write: \(written.isEmpty ? "no type" : written.joined(separator: ", "))")
            for case (let table, let reason?) in tables {
                try shell.output.printNote("only to read: \(table), since \(reason)")
            }
            CommandOutput.printPrompt("Write? [y/N] ")
            let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
            if !["y", "yes"].contains(answer) { shell.stopWriting() }
        }
        let mode = shell.runner.mayWrite ? "for reading and writing" : "only for reading"
        try shell.output.printNote("\(path): \(counted(tables.count, "table")), \(mode). .help lists the commands.")
    }

    private var isContinued: Bool { !reader.isIdle }

    private func runEdited(_ environment: [String: String]) throws {
        var file = HistoryFile.path(environment).map(HistoryFile.init)
        var history = LineHistory()
        do {
            history = try file?.load() ?? history
        } catch {
            try noteHistory(error)
            file = nil
        }
        let terminal = EditedTerminal(history: history) { [unowned self] text, cursor in
            shell.completion(of: text, cursor: cursor, after: begun.joined(separator: "\n"))
        }
        while true {
            let prompt = isContinued ? Self.continuation : Self.prompt
            let styled = TerminalStyle.heading.applied(to: prompt, on: .output)
            switch try terminal.line(styled, width: prompt.count) {
            case .ended: return
            case .interrupted: giveUp()
            case .accepted(let line):
                do {
                    try file?.add(line)
                } catch {
                    try noteHistory(error)
                    file = nil
                }
                guard try take(line) else { return }
            }
        }
    }

    /// Reads lines that the system edits.
    private func runPlain() throws {
        while true {
            CommandOutput.printPrompt(isContinued ? Self.continuation : Self.prompt)
            guard let line = readLine() else { return }
            guard try take(line) else { return }
        }
    }

    private func noteHistory(_ error: any Error) throws {
        try shell.output.printNote("the history is not kept: \(FileError.reason(error))")
    }

    private func giveUp() {
        reader.reset()
        begun = []
    }

    /// Runs what a line completes. Returns false at the end of the shell.
    private func take(_ line: String) throws -> Bool {
        if reader.isIdle, SQLShell.isCommand(line) {
            return try attempt { try shell.perform(line) }
        }
        begun.append(line)
        for statement in reader.add(line) {
            // The rest of the line is left out after an error.
            let hasSucceeded = try attempt {
                try shell.execute(statement.text)
                return true
            } onError: {
                false
            }
            if !hasSucceeded {
                giveUp()
                break
            }
        }
        if reader.isIdle { begun = [] }
        return true
    }

    /// Runs a closure that Ctrl-C interrupts, and prints its error.
    private func attempt(_ body: () throws -> Bool, onError: () -> Bool = { true }) throws -> Bool {
        do {
            defer { interruptions.end() }
            let result = try StatementCall.$interruption.withValue(interruptions.begin(), operation: body)
            try shell.flush()
            return result
        } catch let error as OutputError {
            throw error
        } catch is CancellationError {
            try shell.flush()
            try shell.output.printNote("interrupted")
        } catch {
            try shell.flush()
            CommandOutput.printError(error, quiet: shell.output.quiet)
        }
        return onError()
    }
}

/// The signal of Ctrl-C, which interrupts a statement, and not the process.
private final class InterruptSignal {
    private let current = Monitor<StatementInterruption?>(nil)
    private let source: any DispatchSourceSignal

    init() {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        let current = current
        source.setEventHandler { current.withLock { $0 }?.raise() }
        source.resume()
    }

    deinit { source.cancel() }

    func begin() -> StatementInterruption {
        let interruption = StatementInterruption()
        current.withLock { $0 = interruption }
        return interruption
    }

    func end() { current.withLock { $0 = nil } }
}
#endif
