// The texts of errors: the type, the key, the path, the limit, and the remedy.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Texts of errors") struct StoreErrorTests {
    private static let reason = CodingError(.truncated(needed: 8, available: 3), at: 17)

    private static let low = LMDBError(.noSuchFile, in: "open", path: "/nowhere/at/all")

    private static func key(_ bytes: UInt8...) -> StoredKey { StoredKey(bytes, of: "Person") }

    /// Each error, with the required parts of its description.
    private static let expectations: [(StoreError, [String])] = [
        (.record(.keyTooLarge(type: "Person", size: 600, limit: 511)), ["Person", "600", "511", "Shorten"]),
        (.record(.valueTooLarge(type: "Person", size: 9, limit: 7)), ["Person", "9", "7", "several records"]),
        (
            .record(
                .unreadable(
                    type: "Person", key: key(0xAB), field: "mood",
                    reason: CodingError(.noSuchValue("\"ugly\"", type: "Mood"), at: 3))),
            ["Person", "ab", "mood: \"ugly\" is not a value of Mood", "intact", "replace", "delete"]
        ),
        (
            .entity(.linkTooLarge(relation: "Person.pet", key: key(0xAB), size: 504, limit: 503)),
            ["Person.pet", "ab", "504", "503", "shorter"]
        ),
        (
            .entity(.graphTooDeep(type: "Person", key: key(0xAB), limit: 1000)),
            ["Person", "ab", "1000", "in parts", "ids"]
        ),
        (
            .entity(.hooksTooDeep(type: "Person", key: key(0xAB), limit: 32)),
            ["Person", "ab", "32", "hook", "must not"]
        ),
        (
            .record(.keyChanged(type: "Person", key: key(0xAB))),
            ["Person", "ab", "update", "merge strategy", "willSave", "Delete"]
        ),
        (.record(.unencodable(type: "Person", reason: reason)), ["Person"]),
        (.record(.keyExists(type: "Person", key: key(0xAB, 0x01))), ["Person", "ab01", "onConflict: .replace"]),
        (
            .record(.corrupted(type: "Person", key: key(0xAB), reason: reason)),
            ["Person", "ab", "offset 17", "Restore"]
        ),
        (.record(.checksumMismatch(type: "Person", key: key(0xAB))), ["Person", "ab", "checksum", "Restore"]),
        (
            .record(.indexDamaged(type: "Person", index: "index(age)", key: key(0xAB))),
            ["Person", "ab", "index(age)", "check", "rebuild"]
        ),
        (
            .schema(.relationNotUnique(relation: "Person.pet", owner: key(0xAB), targets: [key(0x01), key(0x02)])),
            ["Person.pet", "ab", "01", "02", "Remove"]
        ),
        (
            .schema(.relationChanged(path: "/p", relation: "Person.pet", stored: "one-way", declared: "mutual")),
            ["/p", "Person.pet", "one-way", "mutual", "open the store"]
        ),
        (
            .schema(
                .schemaNewer(
                    path: "/p", type: "Person", stored: "", declared: "", undeclaredIndexes: ["relation(pet)"])),
            ["/p", "Person", "relation(pet)", "dropUndeclaredRelations"]
        ),
        (.text(.noPhrases(type: "Person", index: "fullText(note)")), ["Person", "fullText(note)", "keepsOrder"]),
        (
            .text(.unknownAnalyzer(type: "Person", index: "fullText(note)", analyzer: "codes/1")),
            ["Person", "fullText(note)", "codes/1", "Search"]
        ),
        (.text(.noFullTextIndex(type: "Person", properties: [])), ["Person", "Declare"]),
        (.text(.noFullTextIndex(type: "Person", properties: ["note"])), ["Person", "note", "Declare"]),
        (
            .text(.notInTextIndex(type: "Person", properties: ["note"], searched: ["fullText(name)"])),
            ["Person", "note", "fullText(name)", "index:"]
        ),
        (
            .text(.textNotReady(type: "Person", index: "fullText(note)", done: 3, total: 7)),
            ["Person", "fullText(note)", "3 of 7", "wait"]
        ),
        (.text(.idsExhausted(type: "Person", index: "fullText(note)")), ["Person", "fullText(note)", "rebuild(_:)"]),
        (.text(.textTooDeep(type: "Person", limit: 100)), ["Person", "100", "any(_:)"]),
        (.query(.filterTooDeep(type: "Person", limit: 100)), ["Person", "100", "beside"]),
        (.query(.noCondition(type: "Person")), ["Person", "all its records", ".filter(…).or(…)"]),
        (.query(.notStored(type: "Person", property: "age")), ["Person", "age", "KeyProperty"]),
        (
            .entity(.notKept(type: "Note", option: "keepsDeleted")),
            ["Note", "deleted entities", "@EntityModel(keepsDeleted: true)"]
        ),
        (
            .entity(.notKept(type: "Note", option: "keepsMetadata")),
            ["Note", "times", "@EntityModel(keepsMetadata: true)"]
        ),
        (
            .query(.relationNotStored(type: "Person", relation: "home", path: "\\.home?.id")),
            ["Person", "\\.home?.id", "\\.$home == .id(…)", "linked", "hasNone"]
        ),
        (.schema(.indexDeclaredTwice(type: "Person", index: "index(age)")), ["Person", "index(age)", "Leave"]),
        (
            .schema(.wrongNumberOfTexts(type: "Person", index: "fullText(note)", limit: 15)),
            ["Person", "fullText(note)", "15", "Declare"]
        ),
        (
            .schema(.indexOfJSON(type: "Person", index: "index(home)")),
            ["Person", "index(home)", "JSON", "@RecordValue"]
        ),
        (
            .query(.wrongKeyComponents(type: "Person", given: "Int", key: "(a:String)")),
            ["Person", "Int", "(a:String)", "Name"]
        ),
        (
            .query(.notAComponent(type: "Person", component: "age", layout: "Int64", text: "x")),
            ["Person", "age", "Int64", "“x”", "Give"]
        ),
        (.schema(.unknownLayout(type: "Person", layout: "Money")), ["Person", "“Money”", "Read it"]),
        (.schema(.unsupportedMigration(type: "Person", version: 77)), ["Person", "77", "init(decoding:version:)"]),
        (
            .schema(
                .noConversion(type: "Person", version: 77, reason: ConversionError(field: "age", reason: .noDefault))),
            ["Person", "77", "age", "default", "migrate(_:from:)"]
        ),
        (
            .schema(
                .unconvertible(
                    type: "Person", version: 77, key: key(0xAB),
                    reason: ConversionError(field: "age", reason: .value(CodingError(.unencodable("300 is too much")))))
            ),
            ["Person", "77", "ab", "age: 300 is too much.", "migrate(_:from:)"]
        ),
        (
            .schema(.prefixTaken(path: "/p", prefix: 5, type: "A.Person", by: "B.Person", free: 7, isDeclared: true)),
            ["/p", "A.Person and B.Person", "5", "keyPrefix: 7"]
        ),
        (
            .schema(.prefixTaken(path: "/p", prefix: 5, type: "A.Person", by: "B.Person", free: 7, isDeclared: false)),
            ["/p", "A.Person", "B.Person", "renamed or moved", "keyPrefix: 5", "another type", "keyPrefix: 7"]
        ),
        (
            .schema(.prefixTaken(path: "/p", prefix: 5, type: "A.Person", by: "A.Person", free: 7, isDeclared: true)),
            ["/p", "A.Person", "keyPrefix: 7"]
        ),
        (
            .schema(
                .prefixTaken(
                    path: "/p", prefix: 5, type: "A.Person", by: "B.Person", free: 7, isDeclared: false, isEntity: true)
            ),
            ["/p", "@EntityModel(keyPrefix: 5)", "@EntityModel(keyPrefix: 7)"]
        ),
        (
            .schema(
                .prefixesTaken(
                    path: "/p",
                    conflicts: [
                        .prefixTaken(
                            path: "/p", prefix: 5, type: "A.Person", by: "B.Person", free: 7, isDeclared: false,
                            isEntity: true),
                        .prefixTaken(path: "/p", prefix: 6, type: "A.Dog", by: "B.Dog", free: 7, isDeclared: false),
                    ])),
            [
                "/p", "2 types", "A.Person: @EntityModel(keyPrefix: 5) keeps the records of B.Person",
                "A.Dog: @IndexKeyRecord(keyPrefix: 6, …) keeps the records of B.Dog",
            ]
        ),
        (
            .schema(.layoutChanged(path: "/p", type: "Person", version: 7, stored: "(a)", declared: "(b)")),
            ["/p", "Person", "7", "(a)", "(b)", "fieldsVersion"]
        ),
        (
            .schema(.keyLayoutChanged(path: "/p", type: "Person", stored: "(a)", declared: "(b)")),
            ["/p", "Person", "(a)", "(b)", "among its records"]
        ),
        (
            .schema(.schemaNewer(path: "/p", type: "Person", stored: "(a){b}", declared: "(a){}")),
            ["/p", "Person", "(a){b}", "(a){}", ".allowOlderLayout"]
        ),
        (.schema(.migrationRefused(path: "/p", plan: "Person: 7 records")), ["/p", ".refuse", "Person: 7 records"]),
        (
            .schema(
                .valuesWouldBeLost(
                    path: "/p",
                    losses: [
                        FieldLoss(type: "App.Person", field: "a", records: 1),
                        FieldLoss(type: "App.Pet", field: "b.c", records: 7),
                    ])),
            ["/p", ".refusingLoss", "App.Person.a: 1 record has", "App.Pet.b.c: 7 records have", "@Renamed"]
        ),
        (
            .schema(.keysCollide(type: "Person", key: key(1), records: [key(2), key(0xAB)])),
            ["Person", "key 01", "keys 02 and ab", "migrate(_:from:)"]
        ),
        (.schema(.keysCollide(type: "Person", key: key(1), records: [])), ["Person", "key 01", "Delete one"]),
        (.file(.notAStore(path: "/p", reason: nil)), ["/p", "another program"]),
        (.file(.notAStore(path: "/p", reason: low)), ["/p", "not a store"]),
        (
            .file(.notAStore(path: "/p", reason: LMDBError(.emptyFile, in: "open"))),
            ["/p is an empty file", "Remove it"]
        ),
        (.file(.notAStore(path: "/p", reason: LMDBError(.notAFile, in: "open"))), ["/p", "a directory or a device"]),
        (
            .file(.notAStore(path: "/p", reason: LMDBError(.invalid, in: "open"))),
            ["/p", "another kind", "Choose another"]
        ),
        (.file(.formatTooNew(path: "/p", format: 9, supported: 1)), ["/p", "9", "1", "later version"]),
        (
            .file(
                .formatTooNew(
                    path: "/p", format: 2, supported: 2,
                    features: [.text, StoreFeature(900, .neededToRead)])),
            ["/p", "the features 2 (full text), 900", "cannot read", "Open it with a later version"]
        ),
        (
            .file(.formatTooNew(path: "/p", format: 2, supported: 2, features: [StoreFeature(900, .neededToWrite)])),
            ["/p", "the feature 900", "only read it", "Write to it with a later version"]
        ),
        (.file(.formatTooOld(path: "/p", format: 0, supported: 1)), ["/p", "0", "1", "earlier version"]),
        (
            .file(.notAStore(path: "/p", reason: LMDBError(.isADirectory, in: "open"))),
            ["/p is a directory", "/p/app.trove"]
        ),
        (.file(.noAddressSpace(path: "/p", size: 4096)), ["/p", "4096", "address space", "mapSize"]),
        (
            .file(.otherEngine(path: "/p", format: .version1, library: "1.0.2")),
            ["/p", "LMDB 0.9", "1.0.2", "trove upgrade"]
        ),
        (.file(.usedByOtherEngine(path: "/p", library: "1.0.2")), ["/p", "another process", "1.0.2"]),
        (
            .file(.notConvertible(path: "/p", reason: LMDBError(.foreignTables, in: "convert", path: "/p"))),
            ["/p", "the program that created it."]
        ),
        (.file(.holdsChangesOnly(path: "/p")), ["/p", "not the store itself", "trove apply"]),
        (.file(.truncated(path: "/p", expected: 8192, actual: 4097)), ["/p", "8192", "4097", "salvage"]),
        (.file(.damaged(path: "/p", reason: low)), ["/p", "first. Examine", "verify"]),
        (.file(.hardLinked(path: "/p")), ["/p", "Remove all links except one"]),
        (.file(.lockFileReplaced(path: "/p-lock")), ["/p-lock", "every process", "close()"]),
        (.file(.fileReplaced(path: "/p")), ["/p", "close()", "current name"]),
        (.file(.openedDifferently(path: "/p")), ["/p", "isReadOnly", "durability"]),
        (
            .transaction(.commitFailed(path: "/p", outcome: .notCommitted, sequence: 7, reason: low)),
            ["/p", "not committed", "Write it again"]
        ),
        (
            .transaction(.commitFailed(path: "/p", outcome: .unknown, sequence: 7, reason: low)),
            ["/p", "may or may not", "commitSequence", "7"]
        ),
        (.transaction(.writerBusy(path: "/p", timeout: .milliseconds(50))), ["/p", "0.05", "busyTimeout"]),
        (.transaction(.busy(path: "/p", reason: low)), ["/p"]),
        (.transaction(.readExpired(path: "/p")), ["/p", "maximumReadAge"]),
        (.transaction(.usedAfterFork(path: "/p")), ["/p", "child"]),
        (.transaction(.suspended(path: "/p")), ["/p", "resume()"]),
        (.transaction(.writerLockOrphaned(path: "/p", process: 77)), ["/p", "Process 77", "close()", "every process"]),
        (.file(.missing(path: "/p", reason: low)), ["no store at /p", "without isReadOnly"]),
        (.file(.missing(path: "/d/data.mdb", reason: low)), ["no store in the directory /d."]),
        (.file(.missing(path: "/d/p", reason: LMDBError(.noSuchFile, in: "verify"))), ["no store at /d/p. Check"]),
        (
            .file(.missing(path: "/d/p", reason: LMDBError(.noSuchFile, in: "realpath"))),
            ["directory /d does", "Create the"]
        ),
        (.file(.missing(path: "/p", reason: LMDBError(.noSuchFile, in: "realpath"))), ["directory / does"]),
        (.file(.missing(path: "/d/p", reason: LMDBError(.notADirectory, in: "realpath"))), ["/d is not a directory"]),
        (.file(.missing(path: "", reason: LMDBError(.noSuchFile, in: "realpath"))), ["path of the store is empty"]),
        (.file(.noPermission(path: "/p", reason: low)), ["/p"]),
        (.file(.diskFull(path: "/p", reason: low)), ["/p", "Free some space"]),
        (.transaction(.transactionEnded(path: "/p")), ["/p", "context", "inside its closure"]),
        (.transaction(.wrongThread(path: "/p")), ["/p", "context", "thread"]),
        (.transaction(.nestedWrite(path: "/p")), ["/p", "context.nested", "copy after"]),
        (
            .transaction(.nestedTransactionOpen(path: "/p")),
            ["/p", "use the context that the closure receives", "an Array", "before update"]
        ),
        (
            .record(.collisionRuleRepeats(type: "T", index: "unique(a)", key: key(1))),
            ["T", "unique(a)", "01", "existing record", "hooks of a deleted record", "more than 32 rules"]
        ),
        (.live(.listIsReading(type: "Person")), ["Person", "closure", "properties", "elsewhere"]),
        (.history(.notKept(path: "/p")), ["/p", "keeps no history", "StoreOptions(history:"]),
        (.history(.expired(path: "/p", commit: 3, oldest: 9)), ["/p", "commits after 3", "commit 9", "historyToken"]),
        (.history(.ofOtherStore(path: "/p")), ["/p", "another store"]),
        (.history(.ofOtherCopy(path: "/p", commit: 9, newest: 3)), ["/p", "commit 9", "commit 3", "historyToken"]),
        (
            .history(.invalidPolicy(path: "/p", reason: "days is 0.0. Choose a positive number.")),
            ["/p", "days is 0.0"]
        ),
        (.transaction(.readOnly(path: "/p")), ["/p", "isReadOnly"]),
        (.transaction(.tooManyReaders(path: "/p", limit: 512)), ["/p", "512", "maximumReaders"]),
        (.transaction(.tooManyTables(path: "/p", limit: 512)), ["/p", "512", "maximumTables"]),
        (
            .file(.invalidOption(path: "/p", name: "maximumReaders", value: -1, limit: 1000)),
            ["/p", "maximumReaders is -1", "1 to 1000"]
        ),
        (.file(.mapFull(path: "/p", limit: 4096)), ["/p", "4096", "mapSize"]),
        (.file(.storage(low)), ["/nowhere/at/all"]),
    ]

    @Test func everyError_namesItsSubject_andTheRemedy() {
        for (error, words) in Self.expectations {
            for word in words { #expect("\(error)".contains(word), "\(error)") }
            #expect((error as any Error).localizedDescription == "\(error)")
        }
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "only root on Linux can mount a small disk"))
    func aFullDisk_isReportedAsDiskFull_untilThereIsSpace() throws {
        let disk = try SmallDisk(megabytes: 8)
        let store = try Store(path: disk.path("test.trove"))
        try store.insert(Tick(number: 0, note: "acknowledged"))
        let large = Tick(number: 1, note: String(repeating: "x", count: 9_000_000))
        let error = storeError { try store.insert(large) }
        guard case .file(.diskFull(path: store.path, reason: let reason)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.operation == "mdb_txn_commit")
        #expect(try Tick.query().keys(in: store) == [0])
        try store.insert(Tick(number: 2, note: "small"))
        #expect(try Tick.query().keys(in: store) == [0, 2])
    }

    @Test func anOrphanedLockBelow_isOneHere() {
        let below = LMDBError(.writerLockOrphaned, in: "write", path: "/p", limit: 77)
        #expect(StoreError(below) == .transaction(.writerLockOrphaned(path: "/p", process: 77)))
    }

    /// An app on iOS has few addresses without an entitlement, and a program on Linux or a Mac has many.
    @Test func aMapThatCannotBeHad_namesTheEntitlementOnIOS() {
        let entitlement = "com.apple.developer.kernel.extended-virtual-addressing"
        for text in [StoreError.FileError.noAddressSpaceText, StoreError.FileError.mapFullText] {
            #expect(text("/p", 4096, true).contains(entitlement))
            #expect(text("/p", 4096, true).contains("4096"))
            #expect(!text("/p", 4096, false).contains(entitlement))
        }
        #expect(StoreError.FileError.noAddressSpaceText("/p", 4096, isSmall: false).contains("ulimit"))
        #expect(!StoreError.FileError.noAddressSpaceText("/p", 4096, isSmall: true).contains("ulimit"))
    }

    @Test func aFullDiskBelow_isOneHere() {
        let below = LMDBError(.diskFull, in: "mdb_txn_commit", path: "/p")
        #expect(StoreError(below) == .file(.diskFull(path: "/p", reason: below)))
    }

    @Test func aLongKey_isCutShort() {
        let error = StoreError.record(
            .checksumMismatch(type: "Person", key: StoredKey([UInt8](repeating: 0xAB, count: 511), of: "Person")))
        #expect("\(error)".contains("…"))
        #expect("\(error)".count < 300)
    }
}
