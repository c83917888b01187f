// The order of the keys of a level, against Swift's own sort of their bytes.

import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Sorted keys") struct SortedKeysTests {
    @Test func keys_areInTheOrderOfTheirBytes_once() {
        let seed = SeededGenerator.fromEnvironment().seed
        for round in 0..<60 {
            var random = SeededGenerator(seed: seed &+ UInt64(round))
            // Few and many, since many are sorted in another way.
            let count = [0, 1, 2, 30, 255, 256, 1_000].randomElement(using: &random) ?? 0
            let prefix = [UInt8](repeating: 0x80, count: Int.random(in: 0...3, using: &random))
            let sizes = [8...8, 1...12, 16...16].randomElement(using: &random) ?? 8...8
            let greatest: UInt8 = [1, 3, 255].randomElement(using: &random) ?? 255
            func key() -> [UInt8] {
                prefix
                    + (0..<Int.random(in: sizes, using: &random)).map { _ in .random(in: 0...greatest, using: &random) }
            }
            let few = (0..<max(1, count / 3)).map { _ in key() }
            let keys = (0..<count).map { _ in Bool.random(using: &random) ? few.randomElement(using: &random)! : key() }
            let sorted = SortedKeys(KeyList(bytes: keys))
            let comment: Comment = "TROVE_TEST_SEED=\(seed), round \(round)"
            let expected = Set(keys).sorted { $0.lexicographicallyPrecedes($1) }
            #expect(sorted.keys.map { Array($0) } == expected, comment)
            #expect(sorted.places.map { Array(sorted.keys[Int($0)]) } == keys, comment)
        }
    }
}
