// Suggestions for misspelled names.

import Testing

@testable import TroveMacroExpansion

@Suite("Nearest names")
struct NearestNameTests {
    @Test(
        arguments: [
            ("", "", 0), ("abc", "abc", 0), ("abc", "ABC", 0), ("", "abc", 3), ("kitten", "sitting", 3),
            ("flaw", "lawn", 2),
        ])
    func distance_countsEdits(left: String, right: String, edits: Int) {
        #expect(NearestName.distance(left, right) == edits)
        #expect(NearestName.distance(right, left) == edits)
    }

    @Test func nearest_isTheOneWithTheFewestEdits() {
        #expect(NearestName.of("firstname", among: ["lastName", "firstName"]) == "firstName")
        #expect(NearestName.of("naem", among: ["age", "name"]) == "name")
        #expect(NearestName.of("colour", among: ["age", "name"]) == nil)
        #expect(NearestName.of("x", among: []) == nil)
    }
}
