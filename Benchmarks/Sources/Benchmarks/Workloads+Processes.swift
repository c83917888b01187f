// The observation of commits of another process: this program, started again as a writer.

import Foundation
import Trove

extension Workload {
    /// Returns workloads for Trove alone: GRDB does not observe other processes.
    static func observingOtherProcesses(_ inputs: Inputs) -> [Workload] {
        let people = Array(inputs.people.prefix(100))
        let changes = min(inputs.people.count, 1000)
        return [("O5", "median; goal: 80 µs", 0.5), ("O5t", "99th percentile; goal: 2 ms", 0.99)].map {
            id, title, quantile in
            let title = "until 100 observed people arrive after a commit of another process, \(title)"
            let work = Work.migrating { place, _ in
                let peer = try TrovePeer(at: place)
                try peer.insert(people)
                let arrivals = Arrivals()
                let task = peer.observe(0..<Int64(people.count)) { people in
                    arrivals.note(people.reduce(0) { max($0, $1.age) })
                }
                defer { task.cancel() }
                _ = await arrivals.arrival(of: people.reduce(0) { max($0, $1.age) })
                let writer = try OtherWriter(of: place)
                var times: [Double] = []
                for age in 100..<100 + changes {
                    times.append(try await arrivals.latency(of: age) { try writer.commit(age: age) })
                }
                writer.stop()
                return Measurement(seconds: Statistics.quantile(times.sorted(), quantile))
            }
            return Workload(id: id, title: title, records: 1, target: nil, work: work, peers: [.trove])
        }
    }
}

/// A process that commits on request.
private final class OtherWriter {
    private let process = Process()
    private let requests = Pipe(), answers = Pipe()

    init(of place: Place) throws {
        process.executableURL = URL(filePath: CommandLine.arguments[0])
        process.arguments = ["--writer", place.directory.path]
        process.standardInput = requests
        process.standardOutput = answers
        try process.run()
    }

    /// Commits a change of a person's age. Returns the time at which the commit returned.
    func commit(age: Int) throws -> Double {
        try requests.fileHandleForWriting.write(contentsOf: Data("\(age)\n".utf8))
        guard let answer = String(bytes: answers.fileHandleForReading.availableData, encoding: .utf8),
            let time = Double(answer.dropLast())
        else { throw BenchmarkError("the writing process does not answer") }
        return time
    }

    func stop() {
        try? requests.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

/// Commits a change for each line of the standard input: the age of the first person.
func commitRequestedChanges(in directory: URL) throws {
    let peer = try TrovePeer(at: Place(directory: directory, isDurable: false))
    while let line = readLine(), let age = Int(line) {
        var person = Person(number: 0)
        person.age = age
        try peer.insertEach([person])
        let time = monotonicSeconds()
        try FileHandle.standardOutput.write(contentsOf: Data("\(time)\n".utf8))
    }
}
