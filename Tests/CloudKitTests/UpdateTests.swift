// Updates of existing records, and assets.

import CloudKit
import Foundation
import Testing
import Trove
import TroveTestSupport

@CloudKitRecord(assets: "photo", "shape", "settings")
@IndexKeyRecord("id")
struct Album: Equatable {
    enum CodingKeys: String, CodingKey { case photo = "image" }

    let id: Int
    var title: String
    var photo: Data?
    var shape: Shape = .point
    var settings: Settings?
}

@CloudKitRecord
@IndexKeyRecord("id")
private struct Ranked {
    let id: Int
    @Renamed("title") var rank: String?
}

@IndexKeyRecord("id")
private struct WrongAsset {
    let id: Int
    var title: String
}

extension WrongAsset: CloudKitRecord {
    static let ckFields = CloudKitFields(of: WrongAsset.self, assets: ["title"])
}

@Suite("Existing records of CloudKit") struct UpdateTests {
    /// A field of another program, or of a later version, stays.
    @Test func update_keepsOtherFields() throws {
        let record = try Diver(name: "a", age: 1).ckRecord(with: CKRecord.ID(recordName: "x", zoneID: zone))
        record["more"] = "b"
        try Diver(name: "c", age: 1).update(record)
        #expect(record["more"] == "b")
        #expect(record["name"] == "c")
    }

    @Test func nil_removesTheField() throws {
        var optionals = Optionals(id: UUID(), int: 1, strings: ["a"])
        let record = try optionals.ckRecord(in: zone)
        (optionals.int, optionals.strings) = (nil, nil)
        try optionals.update(record)
        #expect(Set(record.allKeys()) == ["id"])
    }

    /// Otherwise the field of the old name would be read.
    @Test func nilOfARenamedProperty_removesTheOldField() throws {
        let record = CKRecord(recordType: "Ranked", recordID: Ranked.ckRecordID(for: 1, in: zone))
        record["id"] = Int64(1)
        record["title"] = "Dr"
        var ranked = try Ranked(ckRecord: record)
        #expect(ranked.rank == "Dr")
        ranked.rank = nil
        try ranked.update(record)
        #expect(try Ranked(ckRecord: record).rank == nil)
    }

    @Test func optionalLists_keepNilAndEmptyApart() throws {
        var optionals = Optionals(id: UUID(), int: 1, strings: [])
        #expect(try Optionals(ckRecord: optionals.ckRecord(in: zone)).strings == [])
        optionals.strings = nil
        #expect(try Optionals(ckRecord: optionals.ckRecord(in: zone)).strings == nil)
    }

    // MARK: Assets

    @Test func assets_areFiles() throws {
        let directory = try TemporaryDirectory()
        let files = URL(filePath: directory.path("assets"))
        var album = Album(id: 1, title: "a", photo: Data([1, 2]), shape: .circle(radius: 1))
        let record = try album.ckRecord(in: zone, assetsIn: files)
        let asset: CKAsset? = record["image"]
        let file = try #require(asset?.fileURL)
        #expect(try Data(contentsOf: file) == Data([1, 2]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).count == 2)
        #expect(Set(record.allKeys()) == ["id", "image", "shape", "title"])
        #expect(try Album(ckRecord: record) == album)

        // An equal file is kept.
        album.shape = .point
        try album.update(record, assetsIn: files)
        #expect((record["image"] as CKAsset?)?.fileURL == file)
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).count == 3)
        album.photo = nil
        album.settings = Settings(isOn: true, names: [])
        try album.update(record, assetsIn: files)
        #expect(Set(record.allKeys()) == ["id", "settings", "shape", "title"])
        #expect(try Album(ckRecord: record) == album)
    }

    @Test func assets_areInTheTemporaryDirectory() throws {
        let record = try Album(id: 1, title: "a", photo: Data([3])).ckRecord(in: zone)
        for name in ["image", "shape"] {
            let file = try #require((record[name] as CKAsset?)?.fileURL)
            #expect(file.path.hasPrefix(FileManager.default.temporaryDirectory.path))
            try FileManager.default.removeItem(at: file)
        }
    }

    /// A property that was no asset in an older program, or is one in a newer.
    @Test func bytes_areReadInBothForms() throws {
        let directory = try TemporaryDirectory()
        let record = try Album(id: 1, title: "a", photo: Data([1])).ckRecord(
            in: zone, assetsIn: URL(filePath: directory.path("")))
        record["image"] = Data([9])
        #expect(try Album(ckRecord: record).photo == Data([9]))
    }

    @Test func assetWithoutFile_throws() throws {
        let record = try Album(id: 1, title: "a").ckRecord(in: zone)
        record["image"] = CKAsset(fileURL: URL(filePath: "/does/not/exist"))
        do {
            _ = try Album(ckRecord: record)
            Issue.record("the file does not exist")
        } catch {
            guard case .assetFailed("Album", "image", "/does/not/exist", _) = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test func fileThatCannotBeWritten_throws() throws {
        let directory = try TemporaryDirectory()
        let file = directory.path("file")
        try Data().write(to: URL(filePath: file))
        let record = CKRecord(recordType: "Album", recordID: Album.ckRecordID(for: 1, in: zone))
        do {
            try Album(id: 1, title: "a").update(record, assetsIn: URL(filePath: file))
            Issue.record("the directory is a file")
        } catch {
            guard case .assetFailed("Album", "shape", _, _) = error else {
                Issue.record("\(error)")
                return
            }
        }
        #expect(Set(record.allKeys()) == [])
    }

    @Test func assetOfAnotherType_throws() {
        do {
            _ = try WrongAsset(id: 1, title: "a").ckRecord(in: zone)
            Issue.record("a text is not an asset")
        } catch {
            guard case .unencodable("WrongAsset", "title", _) = error else {
                Issue.record("\(error)")
                return
            }
        }
    }
}
