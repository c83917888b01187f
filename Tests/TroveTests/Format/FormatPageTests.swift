// The numbers of Docs/Format.md, compared with the enums of persisted numbers: in both directions, so that neither has
// a number that the other lacks.

import Testing
import TroveCoding

@testable import Trove

@Suite("The page about the format") struct FormatPageTests {
    private let page: FormatPage

    init() throws { page = try FormatPage() }

    @Test func kindsOfCatalogEntries_areThoseOfThePage() throws {
        let rows = try page.rows(of: "| table of a type | `T` | | kind of catalog entry | number |")
        let documented = rows.map { "\($0[3]) \($0[4])" }
        let kinds = (UInt8.min...UInt8.max).compactMap(CatalogEntryKind.init(rawValue:))
        #expect(documented == kinds.map { "\($0) \($0.rawValue)" })
        let tables = rows.filter { !$0[1].isEmpty }.map { $0[1] }
        let (records, numbers) = (TableNumber.records.rawValue, TableNumber.recordNumbers.rawValue)
        #expect(tables == ["\(records)", "1 and up", "\(numbers)"])
    }

    @Test func kindsOfIndexes_areThoseOfThePage() throws {
        let documented = try page.rows(of: "| kind of index | number |").map(\.[1])
        let reserved = IndexKindNumber.recordNumbers
        let numbers = (IndexKind.all.map(\.number) + [reserved]).map(\.rawValue).sorted()
        #expect(documented == numbers.map { "\($0)" })
        #expect(IndexKind(reserved) == nil, "the kind is reserved, and occurs in no entry")
    }

    @Test func formsOfLinks_areThoseOfThePage() throws {
        let documented = try page.rows(of: "| form | number | for | key → fields | lists |").map { "\($0[0]) \($0[1])" }
        #expect(documented == LinkForm.allCases.map { "`\($0.name)` \($0.rawValue)" })
    }

    @Test func partsOfFullText_areThoseOfThePage() throws {
        let rows = try page.rows(of: "| table | part | key | content |")
        let documented = rows.filter { $0[0] == "full text" }.map { $0[1] }
        let tails = "\(TextPart.tails.rawValue), \(TextPart.tails)"
        #expect(documented == [tails] + TextPart.allCases.map { "\($0.rawValue), \($0)" })
        #expect(rows.filter { $0[0] == "record numbers" }.map { Set($0[1]) } == [["0"], ["1"]])
        #expect(page.text.contains("its *fields*, 1 to \(TextParts.fieldLimit)."))
    }

    @Test func features_areThoseOfThePage() throws {
        let groups: [StoreFeature.Group: String] = [
            .neededToRead: "needed to read", .neededToWrite: "needed to write", .mayBeIgnored: "may be ignored",
        ]
        let documented = try page.rows(of: "| number | feature | group |").map { "\($0[0]) \($0[2])" }
        #expect(
            documented
                == StoreFeature.supported.sorted { $0.number < $1.number }.map {
                    "\($0.number) \(groups[$0.group] ?? "")"
                })
        #expect(page.text.contains("**\(FormatVersion.oldest)**, or **\(FormatVersion.newest)**"))
    }

    @Test func numbers_arePrintedAsThePageSays() {
        let doubles: [(Double, String)] = [
            (0, "0.0"), (-0.0, "-0.0"), (1e-4, "0.0001"), (9.9e-5, "9.9e-05"), (-9.9e-5, "-9.9e-05"),
            (10_000_000_000, "10000000000.0"), (9_007_199_254_740_992, "9007199254740992.0"),
            (9_007_199_254_740_994, "9.007199254740994e+15"), (9.9e15, "9.9e+15"),
        ]
        for (number, text) in doubles { #expect(FieldValue.double(number).json == text) }
        let floats: [(Float, String)] = [
            (1e-4, "0.0001"), (9.9e-5, "9.9e-05"), (16_777_216, "16777216.0"), (16_777_218, "1.6777218e+07"),
            (1e10, "1e+10"),
        ]
        for (number, text) in floats { #expect(FieldValue.float(number).json == text) }
    }

    @Test func storedJSON_isWrappedAsThePageSays() {
        func deep(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        for plain in ["{}", "[1,2]", "\"\u{A0}\"", "\"\u{2027}\"", deep(512)] {
            #expect(FieldValue.json(plain).json == plain)
        }
        let wrapped = [
            "[1, 2]", "no", "\"\u{1F}\"", "\"\u{7F}\"", "\"\u{9F}\"", "\"\u{2028}\"", "\"\u{2029}\"", deep(513),
            "{\"$json\":1}",
        ]
        for text in wrapped { #expect(FieldValue.json(text).json.hasPrefix("{\"$json\":\""), "\(text.prefix(20))") }
    }
}
