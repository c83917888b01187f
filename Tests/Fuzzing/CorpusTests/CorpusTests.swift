// Tests of every input of the corpus, including inputs that found bugs, against the properties of its target.

import Foundation
import FuzzTargets
import Testing

struct CorpusTests {
    @Test(arguments: FuzzTarget.allCases) func everyInput_keepsTheProperties(of target: FuzzTarget) throws {
        let inputs = try FileManager.default.contentsOfDirectory(at: corpus(target), includingPropertiesForKeys: nil)
        #expect(!inputs.isEmpty)
        for input in inputs {
            let bytes = try [UInt8](Data(contentsOf: input))
            #expect(throws: Never.self, "\(input.lastPathComponent)") { try target.check(bytes) }
        }
    }

    private func corpus(_ target: FuzzTarget) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Corpus/\(target.rawValue)")
    }
}
