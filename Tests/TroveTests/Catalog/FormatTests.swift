// The numbers of Docs/Format.md, compared with a store's file.

import LMDB
import Testing
import Trove
import TroveTestSupport

@Suite("The format") struct FormatTests {
    @Test func tablesAndCatalogEntries_haveTheirDocumentedNumbers() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.path("a.trove"), options: StoreOptions(durability: .noSync))
        try store.insert(RenamedPlane(code: "A", seats: 1, year: 2))
        let environment = try Environment(path: store.path, options: EnvironmentOptions(durability: .noSync))
        #expect(RenamedPlane.keyPrefix == 0x003D_0901)
        #expect(try environment.databaseNames() == ["003D0901.0.0", "trove"])

        var keys: [[UInt8]] = []
        let catalog = try environment.openDatabase("trove")
        try environment.read { transaction in
            try transaction.scan(catalog) { key, _ in
                keys.append(unsafe key.withUnsafeBytes { unsafe Array($0) })
                return .continue
            }
        }
        let prefix: [UInt8] = [0x00, 0x3D, 0x09, 0x01]
        let version = KeyWriter.bytes(of: RenamedPlane.fieldsVersion)
        #expect(keys == [[0], [1], [2], [3] + prefix, [4] + prefix + version])
    }
}
