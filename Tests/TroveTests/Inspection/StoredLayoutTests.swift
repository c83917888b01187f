// The layouts of a stored type, and what has changed between them.

import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite struct StoredLayoutTests {
    private func differences(_ old: String, _ new: String) throws -> [String] {
        LayoutDifference.all(from: try RecordLayout(old), to: try RecordLayout(new)).map(\.description)
    }

    @Test(arguments: [
        ("(id:Int64){name:String}", "(id:Int64){name:String}", []),
        ("(id:Int64){name:String}", "(id:Int64){name:String,age:Int64}", ["age is added: Int64"]),
        ("(id:Int64){name:String,age:Int64}", "(id:Int64){age:Int64}", ["name is removed: String"]),
        ("(id:Int64){age:Int64}", "(id:Int64){age:Double?}", ["age was Int64, is Double?"]),
        ("(id:Int64){a:Int64,b:Int64}", "(id:Int64){b:Int64,a:Int64}", ["a has another place"]),
        (
            "(id:Int64){name:String}", "(name:String,id:Int64){}", ["name, in the key, was a field"]
        ),
        (
            "(name:String,id:Int64){}", "(id:Int64){name:String?}",
            ["name was String, is String?", "name was in the key"]
        ),
        ("(a:Int64,b:Int64){}", "(b:Int64,a:Int64){}", ["a, in the key, has another place"]),
        ("(a:Int64,b:Int64){}", "(a:Int64){}", ["b, in the key, is removed: Int64"]),
    ])
    func layouts_areComparedByField(_ old: String, _ new: String, _ lines: [String]) throws {
        #expect(try differences(old, new) == lines)
    }

    @Test func theLayoutsOfAType_areInTheirOrder() throws {
        let file = try MigratedFile(of: Crew.plain(0..<40))
        let store = try file.open(Crew.Relaid.self, migrations: .lazily)
        try store.insert(Crew.Relaid(id: 3, name: "new", age: 5, email: nil))
        let type = try store.storedType(Crew.prefix)
        let layouts = type.storedLayouts()
        #expect(layouts.map(\.version) == type.versions && layouts.map(\.isNewest) == [false, true])
        // Nothing is read: either layout may have records.
        #expect(layouts.map(\.records) == [nil, nil])
        #expect(layouts[0].differences.isEmpty)
        #expect(
            layouts[1].differences.map(\.description) == [
                "age was Int64, is Double?", "isRetired is added: Bool",
            ])
        #expect(layouts[0].effects?.changes.isEmpty == false && layouts[1].effects == nil)
        // The default is not in the store: only the program knows it.
        #expect(
            layouts[0].effects?.undecidedLines == ["isRetired is new: the program decides its value in old records"])
        let counts = try store.read { try $0.storedVersions(of: type) }
        #expect(type.storedLayouts(counts).map(\.records) == [39, 1])
        try store.finishMigrations()
        #expect(try store.storedType(Crew.prefix).storedLayouts().map(\.records) == [0, 40])
    }
}
