// The parts of the generated samples, and the functions called by them.

import Foundation
import Testing

/// The samples of a section of a document, as a single program.
struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let run: @Sendable () async throws -> Void

    init(_ name: String, run: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.run = run
    }

    var testDescription: String { name }
}

/// The directory of the running sample.
enum SampleDirectory {
    @TaskLocal static var current: URL?

    /// Runs a sample in a new temporary directory, and removes the directory afterwards.
    static func run(_ sample: Sample) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "trove-sample-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer {
            do {
                try FileManager.default.removeItem(at: directory)
            } catch {
                Issue.record(error)
            }
        }
        try await $current.withValue(directory) { try await sample.run() }
    }
}

/// Returns the path of a sample's store with this name.
func samplePath(_ name: String) -> String {
    (SampleDirectory.current ?? FileManager.default.temporaryDirectory).appending(path: name).path
}

/// Compares the output of a sample's `print(…)  // text` with its comment.
func expectOutput(_ items: Any..., is expected: String, at place: String) {
    let text = items.map { String(describing: $0) }.joined(separator: " ")
    #expect(text == expected, "\(place)")
}
