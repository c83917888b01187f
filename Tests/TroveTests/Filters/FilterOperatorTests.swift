// Filters written with &&, || and !, and Bool properties as filters.

import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("id")
private struct Card: Hashable {
    #Index<Card>(\.isPinned)
    #Index<Card>(\.age)
    #Index<Card>(\.city)
    #Index<Card>(\.note)

    let id: Int
    var age: Int
    var city: String
    var note: String?
    var isPinned: Bool
    var isOpen: Bool
}

@Suite("Operators of filters") struct FilterOperatorTests {
    private let store: Store
    private let cards: [Card]

    init() throws {
        store = try Store.temporary()
        cards = (0..<200).map { id in
            Card(
                id: id, age: id % 20, city: ["Oslo", "Rome", "Nice"][id % 3],
                note: id % 4 == 0 ? nil : "note \(id % 9)",
                isPinned: id % 50 == 0, isOpen: id % 2 == 0)
        }
        try store.insert(contentsOf: cards)
    }

    private func check(
        _ query: Query<Card>, _ plan: String? = nil, sourceLocation: SourceLocation = #_sourceLocation,
        _ holds: (Card) -> Bool
    ) throws {
        #expect(try query.sorted(by: \.id).resolve(in: store) == cards.filter(holds), sourceLocation: sourceLocation)
        let text = try query.explain(in: store)
        if let plan { #expect(text == plan, sourceLocation: sourceLocation) }
    }

    @Test func operators_findWhatTheySay() throws {
        try check(Card.filter(\.age > 3 && \.city == "Oslo" && \.note != "note 1")) {
            $0.age > 3 && $0.city == "Oslo" && $0.note != "note 1"
        }
        try check(Card.filter(\.age > 15 || \.city == "Oslo" && \.isOpen)) {
            $0.age > 15 || $0.city == "Oslo" && $0.isOpen
        }
        try check(Card.filter((\.age > 15 || \.city == "Oslo") && \.isOpen)) {
            ($0.age > 15 || $0.city == "Oslo") && $0.isOpen
        }
        try check(Card.filter(!(\.age > 3) || \.note == nil)) { $0.age <= 3 || $0.note == nil }
        try check(Card.filter(!(\.age > 3 || \.city == "Rome") && !\.isOpen)) {
            !($0.age > 3 || $0.city == "Rome") && !$0.isOpen
        }
        try check(Card.filter(!(\.age > 3 && !(\.city == "Rome" && \.isOpen)))) {
            !($0.age > 3 && !($0.city == "Rome" && $0.isOpen))
        }
    }

    @Test func aBoolProperty_isAFilter_whereverAFilterIs() throws {
        try check(
            Card.filter(\.isPinned), "scan index(isPinned) of Card, 1 range: isPinned == true\nentries to read: 4"
        ) {
            $0.isPinned
        }
        try check(Card.filter(!\.isPinned)) { !$0.isPinned }
        try check(Card.filter(\.isPinned && \.isOpen)) { $0.isPinned && $0.isOpen }
        try check(Card.filter(\.isPinned || \.isOpen)) { $0.isPinned || $0.isOpen }
        try check(Card.filter(\.isPinned || \.age == 3)) { $0.isPinned || $0.age == 3 }
        try check(Card.filter(\.age == 3 || \.isPinned)) { $0.isPinned || $0.age == 3 }
        try check(Card.filter(\.isPinned).filter(\.isOpen).or(\.isPinned).and(\.isOpen)) { $0.isPinned && $0.isOpen }
        try check(Card.query(id: .greaterThan(9)).filter(\.isPinned)) { $0.id > 9 && $0.isPinned }
        let filter: Filter<Card> = Filter(\.isPinned).and(\.isOpen).or(.not(\.isOpen))
        try check(Card.filter(filter)) { $0.isPinned || !$0.isOpen }
        #expect(try Card.filter(\.isPinned, in: store).resolve() == cards.filter(\.isPinned))
    }

    @Test func aComputedBool_isRefused_asAnyComputedProperty() throws {
        #expect(throws: StoreError.self) { try Card.filter(\.city.isEmpty).resolve(in: store) }
    }

    @Test func aPropertyThatIsNotOptional_comparesWithNil_asInConditions() throws {
        try check(Card.filter(\.note == nil && \.age == 4)) { $0.note == nil && $0.age == 4 }
        try check(Card.filter(\.note == "note 3" || \.note > "note 7")) {
            $0.note == "note 3" || $0.note ?? "" > "note 7"
        }
    }

    // MARK: Plans

    @Test func aNot_ofSeveralProperties_isReadByThePlanner() throws {
        try check(
            Card.filter(!(\.age != 3 || \.isPinned)),
            "scan index(age) of Card, 1 range: not age != 3\nfilter: not isPinned == true\nentries to read: 10"
        ) { $0.age == 3 && !$0.isPinned }
        try check(
            Card.filter(!(\.age != 3 && \.isPinned != true)),
            """
            fetch Card by the keys that any of these has
              scan index(age) of Card, 1 range: not age != 3
              scan index(isPinned) of Card, 1 range: not isPinned != true
            entries to read: 14
            """
        ) { $0.age == 3 || $0.isPinned }
    }

    @Test func alternativesInParentheses_useAnIndexEach() throws {
        try check(
            Card.filter(\.isPinned || (\.age == 3 || \.note == "x")),
            """
            fetch Card by the keys that any of these has
              scan index(isPinned) of Card, 1 range: isPinned == true
              scan index(age) of Card, 1 range: age == 3
              scan index(note) of Card, 1 range: note == "x"
            entries to read: 14
            """
        ) { $0.isPinned || $0.age == 3 }
    }

    @Test func theOperatorsOfABool_areStillInferred() {
        let (isFirst, isSecond, number) = (cards[0].isOpen, cards[1].isOpen, cards[2].age)
        let isRight = isFirst && !isSecond || number > 3 && number < 5
        #expect(isRight && !(isFirst && isSecond))
        #expect(cards.filter { $0.age > 18 && $0.isOpen || !$0.isOpen && $0.age < 2 }.count == 10)
    }
}
