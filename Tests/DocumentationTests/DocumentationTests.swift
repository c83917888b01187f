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
        let expected = try Set(documents.expectedFiles())
        let current = try Set(documents.currentFiles())
        let outOfDate = Set(expected.symmetricDifference(current).map(\.name)).sorted()
        #expect(outOfDate.isEmpty, "run scripts/update-doc-samples")
    }
}
