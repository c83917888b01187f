// Tests of conditions on stored records, as `trove dump --where` takes them.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@RecordValue
struct ResidentHome: Hashable {
    var city: String
    var number: Int?
}

@IndexKeyRecord("id")
private struct Resident: Hashable {
    enum Role: String, Codable { case guest, owner }

    let id: Int
    var name: String
    var nickname: String?
    var weight: Double
    var born: Date
    var isActive: Bool
    var role: Role
    var tags: [String]
    var home: ResidentHome?
    var balance: Decimal
    var token: UUID
}

@Suite("Conditions on stored records") struct StoredConditionTests {
    private let store: Store

    init() throws {
        store = try Store.temporary()
        func resident(
            _ id: Int, _ name: String, _ nickname: String?, weight: Double, born: Double, _ role: Resident.Role,
            _ tags: [String], _ home: ResidentHome?, _ balance: Decimal
        ) -> Resident {
            Resident(
                id: id, name: name, nickname: nickname, weight: weight,
                born: Date(timeIntervalSinceReferenceDate: born),
                isActive: id % 2 == 0, role: role, tags: tags, home: home, balance: balance,
                token: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(id))))
        }
        try store.insert(contentsOf: [
            resident(1, "Zoe", nil, weight: -1, born: 0, .guest, [], nil, -5),
            resident(
                2, "Korben", "KD", weight: 80.5, born: 86_400, .owner, ["taxi", "swift"], ResidentHome(city: "Paris"),
                10),
            resident(
                3, "Leeloo Ecolasti", "nil", weight: 55, born: -1, .guest, ["swift"],
                ResidentHome(city: "Oslo", number: 5), 9),
            resident(
                10, "zed", "", weight: .nan, born: 1e9, .guest, ["a b"], ResidentHome(city: "Rome", number: -2), 100),
        ])
    }

    private func ids(_ conditions: String...) throws -> [Int] {
        try store.read { context in
            let type = try context.storedTypes()[0]
            var ids: [Int] = []
            try context.forEachStoredRecord(of: type, where: conditions.map { try StoredCondition($0, of: type) }) {
                if case .integer(let id)? = $0["id"] { ids.append(Int(id)) }
                return true
            }
            return ids
        }
    }

    @Test(arguments: [
        ("id == 2", [2]), ("id = 2", [2]), ("id != 2", [1, 3, 10]), ("id >= 3", [3, 10]), ("id > 3", [10]),
        ("id < 10", [1, 2, 3]), ("id <= 2", [1, 2]), ("  id   <=   2", [1, 2]), ("name == Korben", [2]),
        ("name == Leeloo Ecolasti", [3]), ("name == \"Leeloo Ecolasti\"", [3]), ("name > a", [10]),
        ("nickname == nil", [1]), ("nickname != nil", [2, 3, 10]), ("nickname == \"nil\"", [3]),
        ("nickname == \"\"", [10]), ("nickname != KD", [1, 3, 10]), ("nickname < Z", [2, 10]),
        ("weight < 60", [1, 3]), ("weight > 60.5", [2, 10]), ("born < 2001-01-01T00:00:00Z", [3]),
        ("born >= 2001-01-02T00:00:00Z", [2, 10]), ("isActive == true", [2, 10]), ("role == owner", [2]),
        ("tags contains swift", [2, 3]), ("tags contains a b", [10]), ("name contains o", [1, 2, 3]),
        ("home.city == Oslo", [3]), ("home.number > 0", [3]), ("home.number == nil", [1, 2]),
        ("balance > 9.5", [2, 10]),
        ("balance == 10.0", [2]), ("token == 00000000-0000-0000-0000-00000000000A", [10]),
    ])
    func aCondition_isAboutTheValue(text: String, expected: [Int]) throws {
        #expect(try ids(text) == expected)
    }

    @Test func severalConditions_mustAllBeTrue() throws {
        #expect(try ids("id > 1", "id < 10", "tags contains taxi") == [2])
        #expect(try ids("id > 1", "id < 2").isEmpty)
    }

    @Test(arguments: [
        ("id", "“id” is not a condition."), ("id==2", "“id==2” is not a condition."), ("id ~ 2", "is not a condition."),
        ("nmae == x", "has no property nmae. Its properties are: id, name"),
        ("home.town == x", "has no property home.town"),
        ("id == x", "id of TroveTests.Resident has the type Int64, for which “== x” is not a condition."),
        ("id contains 2", "for which “contains 2”"), ("tags == swift", "for which “== swift”"),
        ("nickname < nil", "for which “< nil”"), ("name.x == 1", "has no property name.x"),
    ])
    func anotherText_isAnError(text: String, words: String) throws {
        let error = #expect(throws: StoredConditionError.self) { try ids(text) }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }

    /// Each record is tested in its own layout. A record without the property does not match.
    @Test func olderRecords_areTestedInTheirLayout() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("planes.trove")
        do { try Store(path: path).insert(contentsOf: ["a", "c"].map { Plane1(code: $0, seats: 1, year: 2) }) }
        do { try Store(path: path).insert(Plane2(code: "b", year: 3, seats: 4, name: nil)) }
        func codes(_ condition: String) throws -> [String] {
            try Store(path: path).read { context in
                let type = try context.storedTypes()[0]
                var codes: [String] = []
                try context.forEachStoredRecord(of: type, where: [StoredCondition(condition, of: type)]) {
                    if case .string(let code)? = $0["code"] { codes.append(code) }
                    return true
                }
                return codes
            }
        }
        #expect(try codes("year >= 2") == ["a", "b", "c"])
        #expect(try codes("seats > 1") == ["b"])
        #expect(try codes("name == nil") == ["b"])
    }
}
