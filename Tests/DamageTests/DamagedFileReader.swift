// Another process that reads damaged files. It is started again after a file has killed it.

import DamageWorker
import TroveTestSupport

final class DamagedFileReader {
    private let soundFile: String
    private var process: ChildProcess?

    init(soundFile: String) { self.soundFile = soundFile }

    private struct NoAnswer: Error {
        var line: String?
    }

    /// Returns the outcome of reading a file; nil if the file kills the process.
    func outcome(of reading: Reading, _ path: String) throws -> Outcome? {
        let process = try running()
        try process.writeLine("\(reading.rawValue) \(path)")
        guard let line = process.readLine() else {
            // A worker gives up after it has printed the reason, and exits without a signal.
            if process.wait() >= 0 { throw NoAnswer(line: nil) }
            self.process = nil
            return nil
        }
        guard let outcome = Outcome(rawValue: line) else { throw NoAnswer(line: line) }
        return outcome
    }

    private func running() throws -> ChildProcess {
        if let process { return process }
        // The runtime's own report of a crash takes seconds.
        let new = try ChildProcess(
            [soundFile], executable: "DamageWorker", environment: ["SWIFT_BACKTRACE": "enable=no"])
        let line = new.readLine()
        guard line == "ready" else { throw NoAnswer(line: line) }
        process = new
        return new
    }
}
