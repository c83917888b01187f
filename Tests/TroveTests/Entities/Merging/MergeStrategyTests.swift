// Each merge strategy of a new value with an existing value, and their compositions.

import Testing

@testable import Trove

@EntityModel
private struct Memo: Equatable {
    let id: Int
    var text: String?
    var author: String?
    var tags: [String] = []
    var places: [String]?
    var modified: Int = 0
    @Relationship() var film: Film?
}

/// Overrides every strategy.
@EntityModel
private struct Card: Equatable {
    let id: Int
    var front: String?
    var back: String?
}

extension Card {
    static var defaultMergeStrategy: MergeStrategy<Card> { .patch }
    static var patch: MergeStrategy<Card> { .patch(\.front) }
}

/// Overrides the strategy for fragments alone.
@EntityModel
private struct Draft: Equatable {
    let id: Int
    var text: String?
    var tags: [String] = []
}

extension Draft {
    static var fragmentMergeStrategy: MergeStrategy<Draft> { MergeStrategy(patch, .append(\.tags)) }
}

extension MergeStrategy where Value == Card {
    fileprivate static var patch: Self { Card.patch }
}

@Suite("Merge strategies")
struct MergeStrategyTests {
    private let old = Memo(id: 1, text: "old", author: "Ann", tags: ["a"], places: ["Rome"], modified: 5)
    private let new = Memo(id: 1, author: "Bob", tags: ["b"], modified: 6)

    @Test func replace_isTheNewValue() {
        #expect(MergeStrategy.replace.merge(old, new: new) == new)
        #expect(MergeStrategy<Memo>.default.merge(old, new: new) == new)
        #expect(MergeStrategy<Memo>().merge(old, new: new) == new)
        // The existing value need not be read.
        #expect(MergeStrategy<Memo>.default.combine == nil)
        #expect(MergeStrategy<Memo>(.replace, .replace).combine == nil)
    }

    @Test func patch_keepsAPropertyThatIsNil() {
        let merged = MergeStrategy.patch(\Memo.text).merge(old, new: new)
        #expect(merged.text == "old" && merged.author == "Bob" && merged.places == nil)
        let other = MergeStrategy.patch(\Memo.author).merge(old, new: new)
        #expect(other.text == nil && other.author == "Bob")
    }

    @Test func patch_ofAnOptional_keepsItIfTheNewIsNil() {
        #expect(MergeStrategy<Int?>.patch().merge(1, new: nil) == 1)
        #expect(MergeStrategy<Int?>.patch().merge(1, new: 2) == 2)
        #expect(MergeStrategy<Int?>.patch().merge(nil, new: nil) == nil)
    }

    @Test func append_addsNewElementsAfterExistingElements() {
        #expect(MergeStrategy.append(\Memo.tags).merge(old, new: new).tags == ["a", "b"])
        #expect(MergeStrategy.append(\Memo.tags).merge(old, new: old).tags == ["a", "a"])
    }

    @Test(
        arguments: [
            (["a"], ["b"], ["a", "b"]), (["a"], nil, ["a"]), (nil, ["b"], ["b"]), (nil, nil, nil), ([], nil, []),
            (nil, [], []),
        ] as [([String]?, [String]?, [String]?)])
    func append_ofOptionalArrays_isNilOnlyIfBothAre(existing: [String]?, added: [String]?, expected: [String]?) {
        let merged = MergeStrategy.append(\Memo.places).merge(
            Memo(id: 1, places: existing), new: Memo(id: 1, places: added))
        #expect(merged.places == expected)
    }

    @Test func closure_isTheStrategy() {
        let strategy = MergeStrategy<Memo> { old, new in
            var result = new
            result.text = "\(old.text ?? "-") \(new.text ?? "-")"
            return result
        }
        #expect(strategy.merge(old, new: new).text == "old -")
        #expect(strategy.merge(old, new: new).author == "Bob")
    }

    @Test func parts_areAppliedFromLeftToRight() {
        let parts = MergeStrategy<Memo>(.patch(\.text), .replace, .append(\.tags), .append(\.tags))
        let merged = parts.merge(old, new: new)
        #expect(merged.text == "old" && merged.author == "Bob")
        // Each part gets the existing value, and the result of the parts before it.
        #expect(merged.tags == ["a", "a", "b"])
        let order = MergeStrategy<[Int]>(
            MergeStrategy { old, new in new + [1] }, MergeStrategy { old, new in old + new + [2] })
        #expect(order.merge([0], new: [5]) == [0, 5, 1, 2])
    }

    // MARK: Last write wins

    @Test func lastWrite_isKept() {
        let strategy = MergeStrategy<Memo>.lastWriteWins(comparedBy: \.modified)
        #expect(strategy.merge(old, new: new) == new)
        #expect(strategy.merge(new, new: old) == new)
    }

    @Test func lastWrite_ofAComparableType_isKept() {
        struct Version: Comparable {
            var number: Int
            var text: String?

            static func < (left: Version, right: Version) -> Bool { left.number < right.number }
        }
        let (first, second) = (Version(number: 1, text: "a"), Version(number: 2))
        let strategy = MergeStrategy<Version>.lastWriteWins()
        #expect(strategy.merge(first, new: second) == second)
        #expect(strategy.merge(second, new: first) == second)
        let patching = MergeStrategy<Version>.lastWriteWins(.patch(\.text))
        #expect(patching.merge(first, new: second) == Version(number: 2, text: "a"))
        #expect(patching.merge(second, new: first) == Version(number: 2, text: "a"))
    }

    @Test func laterNewValue_isTheBase() {
        let strategy = MergeStrategy<Memo>.lastWriteWins(.patch(\.text), .append(\.tags), comparedBy: \.modified)
        let merged = strategy.merge(old, new: new)
        #expect(merged.text == "old" && merged.author == "Bob" && merged.tags == ["a", "b"] && merged.modified == 6)
    }

    @Test(arguments: [4, 5]) func existingValue_isTheBaseUnlessTheNewIsLater(modified: Int) {
        var late = new
        late.modified = modified
        late.places = ["Oslo"]
        let strategy = MergeStrategy<Memo>.lastWriteWins(
            .patch(\.text), .append(\.tags), .append(\.places), comparedBy: \.modified)
        let merged = strategy.merge(old, new: late)
        #expect(merged.text == "old" && merged.author == "Ann" && merged.modified == 5)
        #expect(merged.tags == ["b", "a"] && merged.places == ["Oslo", "Rome"])
    }

    // MARK: Strategies of a type

    @Test func patchOfAType_hasAllOptionalVariables() {
        #expect(Memo.patches.count == 3)
        let merged = Memo.patch.merge(old, new: new)
        #expect(merged == Memo(id: 1, text: "old", author: "Bob", tags: ["b"], places: ["Rome"], modified: 6))
        #expect(MergeStrategy<Memo>.fragment.merge(old, new: new) == merged)
    }

    @Test func patch_reachesPrivateSetters() {
        let film = Film(id: "1", title: "One", tags: ["x"])
        #expect(Film.patch.merge(film, new: Film(id: "1", title: "Two")).tags == ["x"])
    }

    @Test func strategiesOfAType_canBeOverridden() {
        let existing = Card(id: 1, front: "f", back: "b")
        let expected = Card(id: 1, front: "f")
        #expect(MergeStrategy<Card>.default.merge(existing, new: Card(id: 1)) == expected)
        #expect(MergeStrategy<Card>.fragment.merge(existing, new: Card(id: 1)) == expected)
        let draft = MergeStrategy<Draft>.fragment.merge(
            Draft(id: 1, text: "a", tags: ["x"]), new: Draft(id: 1, tags: ["y"]))
        #expect(draft == Draft(id: 1, text: "a", tags: ["x", "y"]))
        #expect(MergeStrategy<Draft>.default.merge(draft, new: Draft(id: 1)) == Draft(id: 1))
    }
}
