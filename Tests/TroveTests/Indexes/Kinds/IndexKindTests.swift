// The kinds of indexes, and the states that they have.

import Testing

@testable import Trove

@Suite("Kinds of indexes") struct IndexKindTests {
    @Test func aKindWithoutUniqueness_hasNoDuplicates() {
        #expect(IndexKind.value.readable(mayHaveDuplicates: true) == .readable)
        #expect(IndexKind.unique.readable(mayHaveDuplicates: true) == .readableWithDuplicates)
        #expect(IndexKind.unique.readable(mayHaveDuplicates: false) == .readable)
    }

    @Test func kinds_haveNumbersAndNamesOfTheirOwn() {
        #expect(IndexKind.all.map(\.number.rawValue) == [1, 2, 3, 4, 6, 7])
        #expect(IndexKind.all.map(\.name) == ["index", "unique", "list", "fullText", "totals", "ranked"])
    }
}
