// The stored sample of indexes and unique constraints: its contents, and the way to write the next sample.
//
//     swift run TroveStoreWorker write-table-sample Tests/TroveTests/Samples/format-N-tables.trove

import Foundation
import Trove

/// Properties with an order and without, descending properties, long values, and nil.
@IndexKeyRecord(keyPrefix: 5_000_031, "id", "region")
package struct SampleMember: Hashable {
    #Index<SampleMember>(\.age)
    #Index<SampleMember>(\.lastName, \.firstName.desc)
    #Index<SampleMember>(\.score.desc, where: { $0.age >= 18 })
    #Index<SampleMember>(\.tags)
    #Index<SampleMember>(\.home)
    #Unique<SampleMember>(\.email, collisions: .throw)
    #Unique<SampleMember>(\.lastName, \.age, collisions: .custom { _, _, _ in })

    package let id: Int
    package let region: String
    package var firstName: String
    package var lastName: String
    package var age: UInt8
    package var score: Double?
    package var email: String?
    package var tags: [String]
    package var home: Home?

    @RecordValue
    package struct Home: Hashable {
        package var city: String
        package var floor: Int16
    }
}

package enum SampleTables {
    /// The unready index.
    package static let unready = "index(tags)"

    package static let members = (0..<60).map(member)

    private static func member(_ number: Int) -> SampleMember {
        let size = [3, 480, 500, 700][number % 4]
        let home = SampleMember.Home(city: "city \(number % 2)", floor: Int16(number) - 9)
        return SampleMember(
            id: number * 7919 % 60 - 30, region: number % 2 == 0 ? "north\0" : "süd", firstName: "first \(number % 5)",
            lastName: String(repeating: "l", count: size) + "\(number % 6)", age: UInt8(number),
            score: number % 7 == 0 ? nil : Double(number) / 4 - 5,
            email: number % 3 == 0 ? nil : "member\(number)@example.com",
            tags: [String](repeating: "tag", count: number % 3), home: number % 4 == 0 ? nil : home)
    }

    /// Writes the sample of the current format. The file must not exist yet.
    static func write(to path: String) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "trove-sample-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(at: directory) } catch { TroveStoreWorker.say("\(error)") }
        }
        let store = try Store(path: directory.appending(path: "sample.trove").path, records: [SampleMember.self])
        try store.insert(contentsOf: members)
        try store.read { try $0.storedTypes() }.forEach { type in _ = try store.markForRebuild(unready, of: type) }
        TroveStoreWorker.say("\(try store.copy(to: path, compacting: true))")
    }
}
