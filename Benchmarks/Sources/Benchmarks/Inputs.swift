// The inputs of the workloads: created once, the same in every run.

import Foundation

/// The people, ids and ranges of all workloads.
struct Inputs {
    /// The people in the order of their ids.
    let people: [Person]
    let shuffled: [Person]
    /// Every id once, in random order.
    let ids: [Int64]
    /// A hundred ranges of consecutive ids.
    let ranges: [Range<Int64>]
    /// Every second person, on average.
    let half: [Person]
    let flights: [Flight]
    /// The entries of a dictionary, and the glosses of WordNet.
    let texts: TextCollection
    let glosses: TextCollection

    /// - Parameter texts: A directory of `scripts/texts`; nil for random texts.
    init(records: Int, flights: [Flight], texts directory: URL?) {
        var random = SplitMix64(state: 2013)
        people = (0..<records).map(Person.init(number:))
        shuffled = people.shuffled(using: &random)
        ids = people.map(\.id).shuffled(using: &random)
        let length = max(1, records / 100)
        ranges = (0..<100).map { _ in
            let start = Int64.random(in: 0...Int64(records - length), using: &random)
            return start..<start + Int64(length)
        }
        half = Array(people.shuffled(using: &random).prefix(records / 2))
        self.flights = flights
        let limit = records < 100_000 ? records : .max
        texts = .file("gcide", in: directory, atMost: limit)
        glosses = .file("wordnet", in: directory, atMost: limit)
    }

    /// The middle half of all ids.
    var middle: Range<Int64> { Int64(people.count / 4)..<Int64(people.count / 4 + people.count / 2) }
}

/// Vigna's SplitMix64: a small generator of random numbers with a seed.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
