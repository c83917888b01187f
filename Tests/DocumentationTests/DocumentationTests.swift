// Every Swift sample in the documents compiles, because this target compiles it, and runs, because these tests run it.

import Foundation
import Testing

@testable import DocumentationSamples

@Suite struct DocumentationTests {
    private let documents = Documents(
        root: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent())

    @Test(arguments: allSamples)
    func sample_runs(_ sample: Sample) async throws {
        try await SampleDirectory.run(sample)
    }

    @Test func generatedFiles_areThoseOfTheDocuments() throws {
        let expected = try documents.expectedFiles().sorted { $0.name < $1.name }
        let current = try documents.currentFiles().sorted { $0.name < $1.name }
        #expect(current.map(\.name) == expected.map(\.name), "run scripts/update-doc-samples")
        for (current, expected) in zip(current, expected) {
            #expect(current == expected, "run scripts/update-doc-samples")
        }
    }
}
