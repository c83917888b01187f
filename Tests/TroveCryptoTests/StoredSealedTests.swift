// Dumps, copies and salvage keep sealed values, without a key.

#if canImport(CryptoKit) || Encryption
import Foundation
import Testing
import Trove
import TroveCrypto
import TroveTestSupport

@Suite struct StoredSealedTests {
    private let keys: SealingKeys
    private let directory: TemporaryDirectory
    private let store: Store

    init() throws {
        keys = try .sample()
        directory = try TemporaryDirectory()
        store = try Store(path: directory.path("sealed.trove"), records: [Person.self])
        for id in 1...50 {
            var person = Person(id: id, name: "P")
            try person.seal("secret \(id)", in: \.diary, with: keys)
            try store.insert(person)
        }
    }

    private func expectSecrets(in store: Store) throws {
        let people = try Person.query().resolve(in: store)
        #expect(people.count == 50)
        for person in people { #expect(try person.open(\.diary, with: keys) == "secret \(person.id)") }
    }

    @Test func aDump_isLoadedWithoutAKey() throws {
        var lines: [String] = []
        try store.read { context in
            try context.forEachDumpLine(of: context.storedTypes()) { lines.append($0) }
        }
        #expect(lines.count > 50)
        #expect(!lines.joined().contains("secret"))
        let sealed = try #require(try Person.get(in: store, id: 1)?.diary)
        // JSON may write a slash with a backslash.
        let text = lines.joined().replacing("\\/", with: "/")
        #expect(text.contains(Data(sealed.opaqueBytes).base64EncodedString()))
        let loaded = try Store.temporary(records: [Person.self])
        try loaded.load(from: lines)
        try expectSecrets(in: loaded)
        #expect(try Person.query().resolve(in: loaded) == Person.query().resolve(in: store))
    }

    @Test func aCopyAndASalvagedStore_keepTheValues() throws {
        try store.copy(to: directory.path("copy.trove"))
        try expectSecrets(in: Store(path: directory.path("copy.trove"), records: [Person.self]))
        try store.close()
        let report = try Store.salvage(from: directory.path("sealed.trove"), to: directory.path("salvaged.trove"))
        #expect(report.isComplete)
        try expectSecrets(in: Store(path: directory.path("salvaged.trove"), records: [Person.self]))
    }

    @Test func theFile_hasNoValue() throws {
        try store.close()
        let bytes = try Data(contentsOf: URL(filePath: directory.path("sealed.trove")))
        #expect(bytes.firstRange(of: Data("secret".utf8)) == nil)
        // The search finds what is in clear.
        #expect(bytes.firstRange(of: Data("diary".utf8)) != nil)
    }

    @Test func aStoreOfOtherTypes_readsTheBytes() throws {
        // Without the Swift type, the property is a `Data`.
        let text = try store.read { context in
            let type = try #require(try context.storedTypes().first { $0.name.hasSuffix("Person") })
            return type.layouts.values.joined()
        }
        #expect(text.contains("diary:Data?"))
    }
}
#endif
