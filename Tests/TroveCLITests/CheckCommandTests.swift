// `trove check` of a single type, and of a single index.

#if CommandLine
import Foundation
import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("id")
private struct Parcel {
    #Index<Parcel>(\.town)
    #Unique<Parcel>(\.code, collisions: .ignore)

    let id: Int
    var town: String
    var code: String
}

@IndexKeyRecord("id")
private struct Truck {
    #Index<Truck>(\.plate)

    let id: Int
    var plate: String
}

@Suite struct CheckCommandTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("parcels.trove")
        let store = try Store(
            path: path, records: [Parcel.self, Truck.self], options: StoreOptions(durability: .noSync))
        try store.insert(contentsOf: (0..<30).map { Parcel(id: $0, town: "Ulm", code: "\($0)") })
        try store.insert(Truck(id: 1, plate: "UL"))
    }

    @Test func aTypeAlone_hasItsIndexes() throws {
        let (code, lines) = try trove("check", path, "Parcel")
        #expect(code == 0)
        #expect(
            lines.dropLast() == [
                "TroveCLITests.Parcel, index(town): 30 entries, no differences",
                "TroveCLITests.Parcel, unique(code): 30 entries, no differences",
            ])
        #expect(try trove("check", path).lines.count == 4)
    }

    @Test func anIndexAlone_isChecked() throws {
        let (code, lines) = try trove("check", path, "Parcel", "unique(code)")
        #expect(code == 0)
        #expect(lines.dropLast() == ["TroveCLITests.Parcel, unique(code): 30 entries, no differences"])
        let json = try jsonObject(trove("check", path, "Truck", "index(plate)", "--json").lines)
        #expect((json["indexes"] as? [[String: Any]])?.map { $0["index"] as? String } == ["index(plate)"])
        #expect(json["verdict"] as? String == "sound")
    }

    @Test func unknownNames_areErrorsWithASuggestion() throws {
        let type = try shell("trove check '\(path)' Parcels")
        #expect(type.code == 2 && type.errors.contains("Did you mean"), "\(type)")
        let index = try shell("trove check '\(path)' Parcel 'index(twon)'")
        #expect(index.code == 2 && index.errors.contains("Did you mean “index(town)”?"), "\(index)")
    }
}
#endif
