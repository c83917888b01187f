// Opening: stores, shared stores, and the errors for other files.

import Foundation
import LMDB
import Testing
import Trove
import TroveTestSupport

@Suite("Opening a store") struct OpeningTests {
    let directory: TemporaryDirectory
    let options = StoreOptions(durability: .noSync)

    init() throws { directory = try TemporaryDirectory() }

    private func open(_ name: String) throws -> Store {
        try Store(path: directory.path(name), options: options)
    }

    @Test func aStore_isReopenedWithItsRecords() throws {
        try open("a.trove").insert(Tick(number: 1, note: "kept"))
        #expect(try open("a.trove").get(Tick.self, key: 1)?.note == "kept")
        #expect(try directory.names() == ["a.trove", "a.trove-lock"])
    }

    @Test func aDirectory_isRefused_andStaysEmpty() throws {
        let path = directory.path("inside")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        for isReadOnly in [false, true] {
            let error = storeError {
                try Store(path: path, options: StoreOptions(durability: .noSync, isReadOnly: isReadOnly))
            }
            guard case .file(.notAStore(let named, let reason?))? = error, reason.code == .isADirectory else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(named.hasSuffix("/inside"))
            #expect("\(error.debugDescription)".contains("is a directory without a store"))
            #expect("\(error.debugDescription)".contains("/inside/app.trove"))
        }
        #expect(storeError { try Store(path: directory.path) } != nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
        #expect(try directory.names() == ["inside"])
    }

    /// LMDB's own layout.
    @Test func aDirectoryWithAStore_opens() throws {
        let path = directory.path("inside")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try open("inside/data.mdb").insert(Tick(number: 1, note: ""))
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == ["data.mdb", "lock.mdb"])
        #expect(try Tick.query().count(in: open("inside")) == 1)
    }

    @Test func aStoreOpenedTwice_isOneStore() throws {
        let (first, second) = (try open("a.trove"), try open("a.trove"))
        try first.insert(Tick(number: 1, note: ""))
        #expect(try second.get(Tick.self, key: 1) != nil)
        try second.insert(Entry(group: 1, word: "", text: "", counts: []))
        #expect(try Entry.query().count(in: first) == 1)
        #expect(try first.identifier == second.identifier)
        try first.write { _ in
            #expect(throws: StoreError.transaction(.nestedWrite(path: first.path))) { try second.write { _ in } }
        }
    }

    @Test func aStore_canBeOpenedAgain_insideItsOwnWrite() throws {
        let store = try open("a.trove")
        try store.insert(Tick(number: 1, note: ""))
        try store.write { context in
            try context.insert(Tick(number: 2, note: ""))
            #expect(try Tick.query().count(in: open("a.trove")) == 1)
        }
    }

    @Test func eachReference_keepsItsOwnOptions() throws {
        let store = try open("a.trove")
        try store.insert(Tick(number: 1, note: ""))
        let reader = try Store(
            path: directory.path("a.trove"), options: StoreOptions(durability: .noSync, isReadOnly: true))
        #expect(try Tick.query().count(in: reader) == 1)
        #expect(
            storeError { try reader.insert(Tick(number: 2, note: "")) } == .transaction(.readOnly(path: reader.path)))
        try store.insert(Tick(number: 3, note: ""))
        #expect(try Tick.query().keys(in: reader) == [1, 3])
    }

    @Test func aReadOnlyStore_readsAndDoesNotWrite() async throws {
        try await open("a.trove").insert(Tick(number: 1, note: ""))
        let store = try await Store(
            path: directory.path("a.trove"), options: StoreOptions(durability: .noSync, isReadOnly: true))
        #expect(try await store.read { try Tick.query().count(in: $0) } == 1)
        #expect(storeError { try store.delete(Tick.self, key: 1) } == .transaction(.readOnly(path: store.path)))
        await #expect(throws: StoreError.transaction(.readOnly(path: store.path))) { try await store.write { _ in } }
    }

    @Test func aCopy_isAStoreWithTheSameRecords() throws {
        let store = try open("a.trove")
        try store.insert(contentsOf: (0..<500).map { Tick(number: $0, note: "note \($0)") })
        try Tick.query(number: .lessThan(250)).delete(in: store)
        for compacting in [false, true] {
            let name = "copy-\(compacting).trove"
            try store.copy(to: directory.path(name), compacting: compacting)
            let copy = try open(name)
            #expect(try Tick.query().resolve(in: copy) == Tick.query().resolve(in: store))
            #expect(try copy.identifier == store.identifier)
            #expect(try copy.commitSequence == store.commitSequence)
            try copy.insert(Tick(number: 1, note: "only in the copy"))
            #expect(try copy.commitSequence == store.commitSequence + 1)
        }
        #expect(try store.get(Tick.self, key: 1) == nil)
        guard case .file(.storage(let error)) = storeError({ try store.copy(to: directory.path("copy-true.trove")) })
        else {
            Issue.record("overwritten")
            return
        }
        #expect(error.code == .fileExists)
        #expect("\(error)".contains("choose a path where there is nothing"))
    }

    /// The story: the copy was verified under a second name. This name could be too long for a file, and some file
    /// systems refuse second names.
    @Test func aCopy_needsNoNameBesideItsOwn() throws {
        let store = try open("a.trove")
        try store.insert(Tick(number: 1, note: ""))
        let name = String(repeating: "c", count: 240)
        try store.copy(to: directory.path(name))
        #expect(try Tick.query().keys(in: open(name)) == [1])
    }

    @Test func aTemporaryStore_leavesNothing() throws {
        let store = try Store.temporary()
        try store.insert(Tick(number: 1, note: ""))
        #expect(try Tick.query().count(in: store) == 1)
        #expect(!FileManager.default.fileExists(atPath: store.path))
        #expect(!FileManager.default.fileExists(atPath: store.path + "-lock"))
        let other = try Store.temporary()
        #expect(try Tick.query().count(in: other) == 0)
        #expect(try other.identifier != store.identifier)
    }

    // MARK: Files that are not stores

    @Test func aMissingDirectory_isNamed() throws {
        let path = directory.path("no/such/a.trove")
        guard case .file(.missing(let named, _)) = storeError({ try Store(path: path) }) else {
            Issue.record("opened")
            return
        }
        #expect(named.hasSuffix("no/such/a.trove"))
        let text = storeError { try Store(path: path) }.debugDescription
        #expect(text.contains("no/such does not exist. Create the directory first."))
    }

    @Test func aFileInPlaceOfADirectory_isNamed() throws {
        try Data("text".utf8).write(to: URL(filePath: directory.path("file")))
        let text = storeError { try Store(path: directory.path("file/a.trove")) }.debugDescription
        #expect(text.contains("file is not a directory. Check the path."))
    }

    @Test func aMissingStore_isNotCreated_readOnly() throws {
        let error = storeError { try Store(path: directory.path("a.trove"), options: StoreOptions(isReadOnly: true)) }
        guard case .file(.missing) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try directory.names().isEmpty)
    }

    @Test(arguments: [0, 1, 5000])
    func aFileOfAnotherKind_isRefused_andLeftAlone(count: Int) throws {
        let content = String(repeating: "just a text", count: count)
        let path = directory.path("text.txt")
        try Data(content.utf8).write(to: URL(fileURLWithPath: path))
        guard case .file(.notAStore(let named, _)) = storeError({ try Store(path: path) }) else {
            Issue.record("opened")
            return
        }
        #expect(named.hasSuffix("text.txt"))
        #expect(try directory.names() == ["text.txt"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(content.utf8))
    }

    @Test func noPermission_isNamed() throws {
        guard getuid() != 0 else { return }
        let path = directory.path("a.trove")
        try open("a.trove").insert(Tick(number: 1, note: ""))
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        guard case .file(.noPermission) = storeError({ try open("a.trove") }) else {
            Issue.record("opened")
            return
        }
    }

    @Test func anotherProgramsFile_isRefused() throws {
        do {
            let environment = try Environment(path: directory.path("foreign.mdb"))
            let table = try environment.createDatabase("theirs")
            try environment.write { try $0.put([1], for: [1], in: table) }
        }
        let path = try #require(FileManager.default.contentsOfDirectory(atPath: directory.path).first)
        #expect(path.hasPrefix("foreign.mdb"))
        guard case .file(.notAStore(_, reason: nil)) = storeError({ try open("foreign.mdb") }) else {
            Issue.record("opened")
            return
        }
        // The file is unchanged.
        let environment = try Environment(path: directory.path("foreign.mdb"))
        #expect(try environment.databaseNames() == ["theirs"])
    }

    @Test func anLMDBFile_withNothingInIt_isNoStore() throws {
        do { _ = try Environment(path: directory.path("empty.mdb")) }
        guard case .file(.notAStore(_, reason: nil)) = storeError({ try open("empty.mdb") }) else {
            Issue.record("opened")
            return
        }
    }

    @Test func aNewStore_isOneBeforeAnythingIsWritten() throws {
        let identifier = try open("a.trove").identifier
        #expect(try open("a.trove").identifier == identifier)
        let environment = try Environment(path: directory.path("a.trove"))
        #expect(try environment.databaseNames() == ["trove"])
    }

    @Test func aForeignTable_ofTheCatalogsName_isRefused() throws {
        for value in [[], [1, 2, 3], [UInt8](repeating: 1, count: 40)] as [[UInt8]] {
            let name = "foreign-\(value.count).mdb"
            do {
                let environment = try Environment(path: directory.path(name))
                let table = try environment.createDatabase("trove")
                try environment.write { try $0.put(value, for: [0], in: table) }
            }
            #expect(storeError { try open(name) } != nil)
        }
    }

    @Test func aStoreOfALaterFormat_isRefused() throws {
        try open("a.trove").insert(Tick(number: 1, note: ""))
        do {
            let environment = try Environment(path: directory.path("a.trove"))
            let catalog = try environment.openDatabase("trove")
            try environment.write { transaction in
                var entry = try #require(try transaction.get([0], from: catalog))
                entry[4] = 3
                try transaction.put(entry, for: [0], in: catalog)
            }
        }
        let path = try open("other.trove").path.replacingOccurrences(of: "other", with: "a")
        #expect(storeError { try open("a.trove") } == .file(.formatTooNew(path: path, format: 3, supported: 2)))
    }

    @Test func tooManyTables_isNamed() throws {
        let store = try Store(
            path: directory.path("a.trove"), options: StoreOptions(maximumTables: 2, durability: .noSync))
        try store.insert(Tick(number: 1, note: ""))
        let error = storeError { try store.insert(Entry(group: 1, word: "", text: "", counts: [])) }
        #expect(error == .transaction(.tooManyTables(path: store.path, limit: 2)))
        try store.insert(Tick(number: 2, note: ""))
        #expect(try Tick.query().count(in: store) == 2)
    }

    @Test(arguments: [Int.min, -1, 0, 1_000_001, 1 << 32, .max])
    func anAbsurdOption_isRefused_andLeavesNoFile(number: Int) throws {
        let path = directory.path("a.trove")
        for (name, options) in [
            ("maximumReaders", StoreOptions(maximumReaders: number)),
            ("maximumTables", StoreOptions(maximumTables: number)),
        ] {
            let error = storeError { _ = try Store(path: path, options: options) }
            guard case .file(.invalidOption(_, name, number, limit: 1_000_000)) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(storeError { _ = try Store.temporary(options: options) } != nil)
        }
        #expect(try directory.names().isEmpty)
    }

    @Test func anAbsurdMapSize_leavesNoFile() throws {
        let error = storeError {
            _ = try Store(path: directory.path("a.trove"), options: StoreOptions(mapSize: .max))
        }
        guard case .file(.noAddressSpace(_, .max))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect("\(error.debugDescription)".contains("address space"))
        #expect("\(error.debugDescription)".contains("mapSize"))
        #expect(try directory.names().isEmpty)
    }

    @Test func aTransactionThatOutgrowsTheMap_isUndone_andTheStoreGoesOn() throws {
        let store = try Store(
            path: directory.path("a.trove"), options: StoreOptions(mapSize: 1 << 20, durability: .noSync))
        try store.insert(Tick(number: 0, note: ""))
        let note = String(repeating: "x", count: 3000)
        let error = storeError {
            try store.write { context in
                // The closure swallows the error; the commit throws it all the same.
                for number in 1..<2000 { _ = try? context.insert(Tick(number: number, note: note)) }
            }
        }
        guard case .file(.mapFull(store.path, let limit)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(limit >= 1 << 20)
        #expect(try Tick.query().keys(in: store) == [0])
        try store.insert(Tick(number: 1, note: note))
        #expect(try Tick.query().count(in: store) == 2)
    }

    @Test func tooManyReaders_isNamed() throws {
        let store = try Store(
            path: directory.path("a.trove"), options: StoreOptions(maximumReaders: 2, durability: .noSync))
        try store.insert(Tick(number: 0, note: ""))
        let error = storeError {
            try store.read { _ in try store.read { _ in try store.read { _ in try store.read { _ in } } } }
        }
        guard case .transaction(.tooManyReaders(store.path, _)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try Tick.query().count(in: store) == 1)
    }
}
