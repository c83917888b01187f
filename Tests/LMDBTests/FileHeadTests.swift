// Damaged and truncated files: rejected with a typed error before liblmdb maps them, and never read in an endless loop.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@Suite struct FileHeadTests {
    private let directory: TemporaryDirectory
    private let path: String

    /// The offsets of the fields of a meta page, in files of LMDB 0.9.
    enum Field: Int {
        case pageFlags = 10
        case magic = 16
        case version = 20
        case mapSize = 32
        case pageSize = 40
        case freePagesRoot = 80
        case mainRoot = 128
        case lastPage = 136
        case transaction = 144

        /// The offset in files of the loaded library. LMDB 1.0 has a longer header.
        var offset: Int { Engine.format == .version1 ? rawValue : rawValue + 8 }
    }

    struct Damage: CustomTestStringConvertible {
        var field: Field
        var value: UInt64
        var code: LMDBError.Code

        var testDescription: String { "\(field) \(value)" }
    }

    static let damages = [
        Damage(field: .pageFlags, value: 1, code: .invalid),
        Damage(field: .magic, value: 1, code: .invalid),
        Damage(field: .version, value: 2, code: .versionMismatch),
        Damage(field: .mapSize, value: .max, code: .corrupted),
        Damage(field: .pageSize, value: 0, code: .corrupted),
        Damage(field: .pageSize, value: 4097, code: .corrupted),
        Damage(field: .pageSize, value: 1 << 31, code: .corrupted),
        Damage(field: .freePagesRoot, value: 1 << 40, code: .corrupted),
        Damage(field: .mainRoot, value: 1 << 40, code: .corrupted),
        Damage(field: .lastPage, value: 0, code: .corrupted),
        Damage(field: .lastPage, value: (1 << 52) - 1, code: .corrupted),
        Damage(field: .lastPage, value: 1 << 51, code: .corrupted),
        Damage(field: .lastPage, value: .max, code: .corrupted),
        Damage(field: .transaction, value: .max, code: .corrupted),
        Damage(field: .transaction, value: 1 << 63, code: .corrupted),
    ]

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("test.mdb")
        let environment = try Environment(path: path)
        let table = try environment.createDatabase("table")
        try environment.write { transaction in
            for number in 0..<1000 { try transaction.put(key(number), for: key(number), in: table) }
        }
    }

    private func refusal() -> LMDBError? { failure { _ = try Environment(path: path) } }

    private func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    /// Overwrites a number in the meta pages of the existing file.
    private func set(_ field: Field, _ value: UInt64, inPages pages: [Int] = [0, 1]) throws {
        let width =
            switch field {
            case .pageFlags: 2
            case .magic, .version, .pageSize: 4
            default: 8
            }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        for page in pages {
            try file.seek(toOffset: UInt64(page * pageSize + field.offset))
            try file.write(contentsOf: Data((0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }))
        }
        try file.close()
    }

    /// Returns the number of the meta page of the last commit.
    private func newestPage() throws -> Int {
        try Environment(path: path).info.lastTransaction & 1
    }

    private var pageSize: Int { Int(sysconf(Int32(_SC_PAGESIZE))) }

    @Test(arguments: damages) func damagedMetaPage_isRefused_whicheverItIs(damage: Damage) throws {
        let sound = try bytes()
        // The roots in the older page no longer have a meaning.
        let isRoot = [.freePagesRoot, .mainRoot].contains(damage.field)
        for pages in isRoot ? [[try newestPage()], [0, 1]] : [[0], [1], [0, 1]] {
            try set(damage.field, damage.value, inPages: pages)
            let error = refusal()
            #expect(error?.code == damage.code, "in \(pages)")
            #expect(error?.path?.hasSuffix("test.mdb") == true)
            try sound.write(to: URL(fileURLWithPath: path))
        }
        #expect(refusal() == nil)
    }

    /// The story: after a failed write of a meta page, liblmdb restores the page's old number and last page, but leaves
    /// the new roots there. That file was rejected as damaged, although its last commit was intact.
    @Test func olderMetaPage_withRootsBeyondItsLastPage_isNoDamage() throws {
        for field in [Field.freePagesRoot, .mainRoot] { try set(field, 1 << 40, inPages: [1 - newestPage()]) }
        for count in [1000, 1001] {
            let environment = try Environment(path: path)
            let table = try environment.openDatabase("table")
            #expect(try environment.read { try $0.count(of: table) } == count)
            try environment.write { try $0.put([1], for: key(count), in: table) }
        }
    }

    @Test func lastPageBeyondTheFile_isATruncatedFile() throws {
        for lastPage in [1 << 20, 1 << 40, 1 << 46] as [UInt64] {
            try set(.lastPage, lastPage)
            let error = try #require(refusal())
            #expect(error.code == .truncated)
            #expect(error.limit == (Int(lastPage) + 1) * pageSize)
        }
    }

    @Test func truncatedFile_isRefused_howeverMuchIsMissing() throws {
        let sound = try bytes()
        for pages in 1..<(sound.count / pageSize) {
            for count in [pages * pageSize, pages * pageSize + 100] {
                try sound.prefix(count).write(to: URL(fileURLWithPath: path))
                let error = refusal()
                #expect(error?.code == .truncated, "\(count) bytes of \(sound.count)")
                #expect(error?.size == count)
            }
        }
        try sound.write(to: URL(fileURLWithPath: path))
        #expect(refusal() == nil)
    }

    /// Pages at the end of the file, taken and released again by a transaction, are never written: such a file is
    /// complete.
    @Test(arguments: [100, 2000]) func fileThatEndsWithPagesNeverWritten_isWhole(pages: Int) throws {
        var used = 0
        do {
            let environment = try Environment(path: path)
            let table = try environment.openDatabase("table")
            // liblmdb reuses released pages at once if it has read the freelist before.
            for round in 0..<4 {
                try environment.write { transaction in
                    try transaction.put([1], for: key(round), in: table)
                    try transaction.put([UInt8](repeating: 1, count: pages * pageSize), for: key(5000), in: table)
                    try transaction.delete(key(5000), from: table)
                }
            }
            used = try environment.info.usedSize
        }
        let whole = try bytes()
        try #require(whole.count < used)
        do {
            let environment = try Environment(path: path)
            let table = try environment.openDatabase("table")
            #expect(try environment.read { try $0.count(of: table) } == 1000)
        }
        try whole.prefix(4 * pageSize).write(to: URL(fileURLWithPath: path))
        #expect(refusal()?.code == .truncated)
    }

    @Test func damageWhileTheFileIsOpen_isTyped_andFollowedNotForEver() throws {
        let environment = try Environment(path: path, options: EnvironmentOptions(mapSize: 1 << 20))
        let table = try environment.openDatabase("table")
        let sound = try bytes()
        // The next page number, in bytes, overflows 64 bits to 0: the map is never large enough, and never too small.
        try set(.lastPage, UInt64.max / UInt64(pageSize))
        #expect(failure { try environment.read { _ in } }?.code == .corrupted)
        #expect(failure { try environment.write { _ in } }?.code == .corrupted)
        #expect(failure { try environment.copy(to: directory.path("copy")) }?.code == .corrupted)
        #expect(failure { try environment.dropDatabase("table") }?.code == .corrupted)
        #expect(try environment.info.usedSize > 1 << 60)
        #expect(try directory.names() == ["test.mdb", "test.mdb-lock"])

        try set(.lastPage, UInt64(sound.count / pageSize - 1))
        #expect(try environment.read { try $0.count(of: table) } == 1000)
    }
}
