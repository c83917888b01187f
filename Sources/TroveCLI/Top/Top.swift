// `trove top`

#if CommandLine
import ArgumentParser
import Foundation
import Trove
import TroveTerminal

/// Shows the activity of a store, once a second.
struct Top: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the commits, readers, pages and largest types of a store, once a second.",
        discussion: """
            The screen is drawn again each second, until q or Ctrl-C is pressed. The readers are those of other processes; \
            their time is that for which this command has seen them in the same snapshot. The bytes of a type include its \
            indexes. Without a terminal, a single frame is printed. --json prints an object on a line each second.

            Exit codes: 0 ended by the user, 1 the store is damaged, 2 it could not be read, or another file has taken its \
            name, 64 wrong arguments.
            """)

    @OptionGroup var store: OpenedStore

    @Flag(help: "Print a single frame, without control codes.")
    var once = false

    @OptionGroup var output: CommandOutput

    /// The time from one frame to the next.
    private static let pace = Duration.seconds(1)

    func run() throws {
        try output.run(printsRecords: true) {
            let store = try store.open(output)
            var sampler = TopSampler(path: store.path)
            let sample = { try sampler.sample(store.activity(), at: .now) }
            if output.json, !output.quiet {
                try output.printJSONLine(try sample())
                while !once {
                    try StandardOutput.flush()
                    Thread.sleep(forTimeInterval: 1)
                    try output.printJSONLine(try sample())
                }
            } else if once || output.quiet || !FullScreen.isAvailable(ProcessInfo.processInfo.environment) {
                try output.printLines(TopFrame(try sample(), size: nil).lines.map(\.text))
            } else {
                try show(sample)
            }
        }
    }

    /// Draws frames until the user ends the command. The terminal is restored, whatever happens.
    private func show(_ sample: () throws -> TopSample) throws {
        // A store that cannot be read leaves the screen as it is.
        var current = try sample()
        let screen: FullScreen
        do { screen = try FullScreen() } catch { throw OutputError(reason: FileError.reason(error)) }
        defer { screen.close() }
        var next = ContinuousClock.now + Self.pace
        while true {
            try draw(current, on: screen)
            switch try screen.event(within: max(.zero, next - .now)) {
            case .ended, .key(.text("q")), .key(.text("Q")), .key(.control("c")), .key(.control("d")): return
            case .key(.control("z")): try screen.pause()
            case .key, .redraws: break
            case .nothing:
                next = .now + Self.pace
                current = try sample()
            }
        }
    }

    private func draw(_ sample: TopSample, on screen: FullScreen) throws {
        let lines = TopFrame(sample, size: screen.size, footer: "q ends").lines.map { line in
            line.isHeading ? TerminalStyle.heading.applied(to: line.text, on: .output) : line.text
        }
        do {
            try screen.draw(lines)
        } catch {
            throw OutputError(reason: FileError.reason(error))
        }
    }
}
#endif
