// A program whose output must not depend on the optimizer: `scripts/twin` builds it in debug and in release, and
// compares both outputs byte for byte.
//
//     TwinProgram SEED COUNT     prints the results of COUNT random inputs
//
// The code under test is in the optimized library. No result is checked here; the tests of each part do that.

import Foundation
import TroveTestSupport

/// A part of the library, with a function that prints its results for random inputs.
struct TwinTopic: Sendable {
    let name: String
    /// The share of this topic in all inputs, in percent.
    let share: Int
    /// Returns the result for the next input, as text.
    let result: @Sendable (inout SeededGenerator) throws -> String
}

@main enum TwinProgram {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let seed = UInt64(arguments[1]), let count = Int(arguments[2]) else {
            FileHandle.standardError.write(Data("usage: TwinProgram SEED COUNT\n".utf8))
            exit(2)
        }
        for topic in try TwinTexts.topics + TwinCodings.topics + TwinStore.topics() {
            var generator = SeededGenerator(seed: seed)
            for number in 0..<count * topic.share / 100 {
                let result: String
                do {
                    result = try topic.result(&generator)
                } catch {
                    result = "error: \(error)"
                }
                print("\(topic.name) \(number): \(result)")
            }
        }
    }
}
