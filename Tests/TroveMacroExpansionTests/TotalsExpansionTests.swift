// The expansion of `#Totals` to elements of `indexes`, and its diagnostics.

import Testing

@testable import TroveMacroExpansion

@Suite("Expansion of totals")
struct TotalsExpansionTests {
    /// Returns a record with indexes.
    private func order(_ indexes: String) -> String {
        """
        @IndexKeyRecord("id")
        struct Order {
            \(indexes)
            let id: String
            var city: String
            var year: Int
            var cents: Int
            var `class`: Double?
            var tags: [String]
            enum CodingKeys: String, CodingKey { case id, city = "town", year, cents, `class`, tags }
        }
        """
    }

    private let city = "Trove.IndexedProperty(\"town\", \\.city, Trove.fieldCoding(of: String.self)) { $0.city }"
    private let year = "Trove.IndexedProperty(\"year\", \\.year, Trove.fieldCoding(of: Int.self)) { $0.year }"
    private let cents = "Trove.SummedProperty(\"cents\", \\.cents) { $0.cents }"

    @Test func groupsAndNumbers_haveTheirStoredNames_inOrder() {
        expectIndexes(
            of: order("#Totals<Order>(by: \\.city, \\.year, of: \\.cents, \\.`class`)"),
            """
            .totals(by: [ \(city), \(year) ],
                of: [ \(cents), Trove.SummedProperty("class", \\.`class`) { $0.`class` } ])
            """)
    }

    @Test func eitherMayBeMissing() {
        expectIndexes(of: order("#Totals<Order>()"), ".totals()")
        expectIndexes(of: order("#Totals<Order>(by: \\.city)"), ".totals(by: [ \(city) ])")
        expectIndexes(of: order("#Totals<Order>(of: \\.cents)"), ".totals(of: [ \(cents) ])")
    }

    @Test func aCondition_isWrittenOut_orTrails() {
        let condition =
            "where: Trove.IndexCondition(\"{ $0.year > 3 }\", filter: \\.year > 3, isExact: true) { $0.year > 3 }"
        expectIndexes(of: order("#Totals<Order>(where: { $0.year > 3 })"), ".totals(\(condition))")
        expectIndexes(
            of: order("#Totals<Order>(by: \\.city) { $0.year > 3 }"), ".totals(by: [ \(city) ], \(condition))")
    }

    /// The key has the order of an index by it, and no totals.
    @Test func totalsByTheKey_areNotRedundant() {
        expectIndexes(
            of: order("#Totals<Order>(by: \\.id)"),
            ".totals(by: [ Trove.IndexedProperty(\"id\", \\.id, Trove.fieldCoding(of: String.self)) { $0.id } ])")
    }

    @Test func aPropertyMayBeAGroup_andANumber() {
        expectIndexes(
            of: order("#Totals<Order>(by: \\.year, of: \\.year)"),
            ".totals(by: [ \(year) ], of: [ Trove.SummedProperty(\"year\", \\.year) { $0.year } ])")
    }

    // MARK: Diagnostics

    @Test func elements_haveNoTotals() {
        expectDiagnostic(
            .totalsOfElements, in: order("#Totals<Order>(by: \\.tags.each)"), line: 3, column: 24,
            fixIts: [.change("\\.tags.each", to: "\\.tags")])
    }

    @Test func aNumber_hasNoDirection() {
        expectDiagnostic(
            .orderedNumber("cents"), in: order("#Totals<Order>(by: \\.city, of: \\.cents.desc)"), line: 3, column: 36,
            fixIts: [.change("\\.cents.desc", to: "\\.cents")])
    }

    @Test func aRepeatedProperty_isAnError() {
        let text = "#Totals<Order>(by: \\.city, of: \\.cents, \\.cents)"
        expectDiagnostic(
            .repeatedIndexed("#Totals", "cents"), in: order(text), line: 3, column: 45,
            fixIts: [.remove("\\.cents")])
    }

    @Test func theSameTotals_areDeclaredOnce() {
        let (first, second) = (
            "#Totals<Order>(by: \\.city, of: \\.cents)", "#Totals<Order>(by: \\Order.city, of: \\Order.cents)"
        )
        expectDiagnostic(
            .duplicateIndex("#Totals"), in: order("\(first)\n    \(second)"), line: 4, column: 5,
            fixIts: [.remove(second)])
    }

    @Test func otherTotalsOfTheSameGroups_areOthers() {
        expectIndexes(
            of: order("#Totals<Order>(by: \\.city)\n    #Totals<Order>(by: \\.city, of: \\.cents)"),
            ".totals(by: [ \(city) ]), .totals(by: [ \(city) ], of: [ \(cents) ])")
    }

    @Test func aPlacement_outsideOfARecord_isAnError() {
        expectDiagnostic(.indexOutside("#Totals"), in: "struct Order { #Totals<Order>() }", line: 1, column: 16)
    }
}
