// The search for keys in a list, against a search from the beginning.

import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Places of keys") struct KeyPlacesTests {
    @Test func places_areThoseOfASearchFromTheBeginning() {
        let seed = SeededGenerator.fromEnvironment().seed
        for round in 0..<100 {
            var random = SeededGenerator(seed: seed &+ UInt64(round))
            let count = Int.random(in: 0...60, using: &random)
            // Few bytes, so that keys repeat, and begin with each other.
            func key() -> [UInt8] {
                (0..<Int.random(in: 0...20, using: &random)).map { _ in UInt8.random(in: 0...1, using: &random) }
            }
            let few = (0..<20).map { _ in key() }
            let keys = (0..<count).map { _ in few.randomElement(using: &random) ?? [] }
            let start = Int.random(in: 0...count, using: &random)
            let end = Int.random(in: start...count, using: &random)
            let places = KeyPlaces(KeyList(bytes: keys), start..<end)
            let comment: Comment = "TROVE_TEST_SEED=\(seed), round \(round)"
            let distinct = (start..<end).filter { !keys[start..<$0].contains(keys[$0]) }
            #expect(places.distinct == distinct, comment)
            for wanted in few + [key()] {
                let expected = distinct.firstIndex { keys[$0] == wanted }
                #expect(ByteView.with(wanted) { places.place(of: $0) } == expected, comment)
            }
        }
    }
}
