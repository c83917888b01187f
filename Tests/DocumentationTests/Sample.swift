// What the generated samples are made of, and what they call.

import Foundation
import Testing

/// The samples of one section of a document, as one program.
struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let run: @Sendable () async throws -> Void

    init(_ name: String, run: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.run = run
    }

    var testDescription: String { name }
}

/// The directory of the sample that is running.
enum SampleDirectory {
    @TaskLocal static var current: URL?

    /// Runs a sample in a new temporary directory, which is removed afterwards.
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

/// Where a sample's store of this name is kept.
func samplePath(_ name: String) -> String {
    (SampleDirectory.current ?? FileManager.default.temporaryDirectory).appending(path: name).path
}

/// Checks what a sample's `print(…)  // text` would print.
func expectOutput(_ items: Any..., is expected: String, at place: String) {
    let text = items.map { String(describing: $0) }.joined(separator: " ")
    #expect(text == expected, "\(place)")
}
