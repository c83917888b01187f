// `trove inspect`

#if CommandLine
import ArgumentParser
import Foundation
import LMDB
import Trove

#if Inspector
import TroveInspector
import TroveStemming
#endif

/// Shows a store in a browser.
struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show a store in a browser: its types, records, relations, and a box for SQL.",
        discussion: """
            Prints an address to open in a browser of this machine. It has a random token, without which nothing can be \
            read. The server listens at 127.0.0.1 and ::1 only. Ctrl-C ends it.

            --write opens the store for writing: the page of a record has forms that set its fields and delete it, and \
            the page of SQL runs statements that write, each after a confirmation. Records and indexes are written by \
            their layout, as by trove sql --write; types that only their program can write are refused, and their pages \
            say why. Without it, nothing is written.

            --lock schema.json compares the store with the file of a SchemaLock, on the page of migrations.

            On another machine, forward the same port: trove inspect app.trove --port 4173 there, and ssh -L \
            4173:127.0.0.1:4173 here.

            A store that cannot be opened has a page that says why.

            Exit codes: 2 the port could not be bound, the schema lock could not be read, or the command was built \
            without the inspector, 64 wrong arguments.
            """)

    @OptionGroup var store: OpenedStore

    @Option(help: "The port. Default: a free one.")
    var port = 0

    @Flag(help: "Allow changes of records.")
    var write = false

    @Option(help: "The file of a schema lock to compare the store with.", completion: .file())
    var lock: String?

    @OptionGroup var output: CommandOutput

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be from 0 to 65535.") }
        if output.json { throw ValidationError("--json has no use: the pages are for a browser.") }
    }

    #if Inspector
    func run() throws {
        try output.run {
            if let lock { _ = try LockedSchema(path: lock) }
            let opened = Result {
                write
                    ? try store.openForWriting(output, verifiesRecords: true)
                    : try store.open(output, verifiesRecords: true)
            }
            let server = InspectorServer(
                opened, path: store.file, port: port, analyzers: TextAnalyzer.languages, allowsWrites: write,
                schemaLock: lock)
            let end = Monitor<(any Error)?>(nil)
            let hasEnded = DispatchSemaphore(value: 0)
            let printer = output
            Task {
                do {
                    try await server.run { address in
                        do {
                            try printer.printRecord("Open \(address) (Ctrl-C ends it)")
                            try StandardOutput.flush()
                        } catch {
                            end.withLock { $0 = error }
                            hasEnded.signal()
                        }
                    }
                } catch {
                    end.withLock { $0 = error }
                }
                hasEnded.signal()
            }
            hasEnded.wait()
            if let error = end.withLock({ $0 }) { throw error }
        }
    }
    #else
    private struct MissingInspector: Error, CustomStringConvertible {
        var description: String {
            "This build is without the trait “Inspector”. In a clone of Trove, run `swift run --traits "
                + "CommandLine,Inspector trove inspect`."
        }
    }

    func run() throws { try output.run { throw MissingInspector() } }
    #endif
}
#endif
