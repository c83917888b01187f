// The packing by hand of the liblmdb peers: the bytes that Docs/Format.md describes, for two types known here.

import CTroveLMDB
import CTroveShims
import Foundation

/// A reusable buffer for a key and for a value.
struct Packing: ~Copyable {
    private let key = UnsafeMutableRawPointer.allocate(byteCount: 512, alignment: 8)
    private let value = UnsafeMutableRawPointer.allocate(byteCount: 65_536, alignment: 8)
    private var keySize = 0
    private var valueSize = 0

    /// The bytes of a value before its fields: a version and a checksum.
    private static var headerSize: Int { 8 }

    deinit {
        key.deallocate()
        value.deallocate()
    }

    var keyBytes: MDB_val { MDB_val(mv_size: keySize, mv_data: key) }
    var valueBytes: MDB_val { MDB_val(mv_size: valueSize, mv_data: value) }

    @inline(__always)
    static func keyBits(_ number: Int64) -> UInt64 { (UInt64(bitPattern: number) ^ (1 << 63)).bigEndian }

    mutating func pack(_ person: some PersonRecord, hasChecksum: Bool) {
        begin()
        putKey(person.id)
        put(person.name)
        put(person.age)
        put(person.email)
        put(person.created.timeIntervalSinceReferenceDate)
        finish(hasChecksum)
    }

    mutating func pack(_ flight: Flight, hasChecksum: Bool) {
        begin()
        putKey(flight.origin)
        putKey(flight.scheduledDeparture.timeIntervalSinceReferenceDate)
        putKey(flight.carrier)
        putKey(Int64(flight.number))
        put(flight.destination)
        value.storeBytes(of: flight.tailNumber == nil ? 0 : 1, toByteOffset: valueSize, as: UInt8.self)
        valueSize += 1
        if let tail = flight.tailNumber { put(tail) }
        put(flight.departureDelay)
        put(flight.arrivalDelay)
        put(flight.minutesInAir)
        put(flight.miles)
        finish(hasChecksum)
    }

    /// Packs the index entry of an age and a record key.
    mutating func packRow(age: Int, key: MDB_val) {
        begin()
        putKey(Int64(age))
        putKey(key)
    }

    /// Packs the entry of a unique index: an e-mail address and a record key.
    mutating func packRow(email: UnsafeRawBufferPointer, key: MDB_val) {
        begin()
        putKey(email)
        putKey(key)
    }

    private mutating func begin() {
        keySize = 0
        valueSize = Self.headerSize
    }

    private mutating func finish(_ hasChecksum: Bool) {
        value.storeBytes(of: 1, as: UInt32.self)
        var checksum: UInt32 = 0
        if hasChecksum {
            let fields = value + Self.headerSize
            checksum = trove_crc32c_update(.max, key, keySize)
            checksum = trove_crc32c_update(checksum, value, 4)
            checksum = ~trove_crc32c_update(checksum, fields, valueSize - Self.headerSize)
        }
        value.storeBytes(of: checksum, toByteOffset: 4, as: UInt32.self)
    }

    // MARK: Entities and links

    mutating func pack(_ chat: Chat) {
        begin()
        putKey(chat.id)
        put(chat.title)
        finish(true)
    }

    mutating func pack(_ contact: Contact) {
        begin()
        putKey(contact.id)
        put(contact.name)
        finish(true)
    }

    mutating func packMember(_ id: Int64) {
        begin()
        putKey(id)
        put("A member")
        finish(true)
    }

    mutating func pack(_ message: Message) {
        begin()
        putKey(message.id)
        put(message.text)
        put(message.sent)
        finish(true)
    }

    mutating func pack(_ attachment: Attachment) {
        begin()
        putKey(attachment.id)
        put(attachment.name)
        finish(true)
    }

    /// Packs the key of an entity, or the beginning of the keys of its links.
    mutating func packKey(_ id: Int64) {
        begin()
        putKey(id)
    }

    /// Packs the record of a link in a list: the target first, and its position as the only field; without a position
    /// the key alone.
    mutating func packLink(_ target: Int64, _ owner: Int64, _ position: Int64? = nil) {
        begin()
        putKey(target)
        putKey(owner)
        guard let position else { return }
        put(position)
        finish(true)
    }

    /// Packs the row of a link in a list.
    mutating func packRow(_ owner: Int64, _ position: Int64, _ target: Int64) {
        begin()
        putKey(owner)
        putKey(position)
        putKey(target)
    }

    /// Packs the record of a link without a position.
    mutating func packPair(_ first: Int64, _ second: Int64) {
        begin()
        putKey(first)
        putKey(second)
        finish(true)
    }

    /// Returns an integer in a key.
    @inline(__always)
    static func id(in key: MDB_val, at offset: Int) -> Int64 {
        let bits = UInt64(bigEndian: key.mv_data!.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        return Int64(bitPattern: bits ^ (1 << 63))
    }

    /// Returns the position of a link.
    @inline(__always)
    static func position(in value: MDB_val) -> Int64 {
        value.mv_data!.loadUnaligned(fromByteOffset: headerSize, as: Int64.self)
    }

    /// Throws for a value whose checksum is wrong.
    static func verify(_ key: MDB_val, _ value: MDB_val) throws {
        var checksum = trove_crc32c_update(.max, key.mv_data, key.mv_size)
        checksum = trove_crc32c_update(checksum, value.mv_data, 4)
        checksum = ~trove_crc32c_update(checksum, value.mv_data + headerSize, value.mv_size - headerSize)
        guard value.mv_data.loadUnaligned(fromByteOffset: 4, as: UInt32.self) == checksum else {
            throw BenchmarkError("a damaged link")
        }
    }

    // MARK: Parts of keys

    private mutating func putKey(_ number: Int64) {
        key.storeBytes(of: Self.keyBits(number), toByteOffset: keySize, as: UInt64.self)
        keySize += 8
    }

    private mutating func putKey(_ number: Double) {
        let bits = number.bitPattern
        key.storeBytes(
            of: (bits >> 63 == 1 ? ~bits : bits | 1 << 63).bigEndian, toByteOffset: keySize, as: UInt64.self)
        keySize += 8
    }

    /// The text has no bytes to escape.
    private mutating func putKey(_ text: String) {
        var text = text
        text.withUTF8 { putKey(UnsafeRawBufferPointer($0)) }
    }

    private mutating func putKey(_ text: UnsafeRawBufferPointer) {
        UnsafeMutableRawBufferPointer(start: key + keySize, count: text.count).copyMemory(from: text)
        keySize += text.count
        key.storeBytes(of: 0, toByteOffset: keySize, as: UInt8.self)
        keySize += 1
    }

    private mutating func putKey(_ recordKey: MDB_val) {
        (key + keySize).copyMemory(from: recordKey.mv_data, byteCount: recordKey.mv_size)
        keySize += recordKey.mv_size
    }

    // MARK: Parts of values

    private mutating func put<Number: BitwiseCopyable>(_ number: Number) {
        value.storeBytes(of: number, toByteOffset: valueSize, as: Number.self)
        valueSize += MemoryLayout<Number>.size
    }

    private mutating func put(_ number: Int?) {
        put(number == nil ? UInt8(0) : 1)
        if let number { put(number) }
    }

    /// The text has at most 127 bytes.
    private mutating func put(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            put(UInt8(bytes.count))
            (value + valueSize).copyMemory(
                from: bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!, byteCount: bytes.count)
            valueSize += bytes.count
        }
    }

    // MARK: Unpacking

    /// Returns the age, stored after the name.
    @inline(__always)
    static func age(in value: MDB_val) -> Int {
        let bytes = UnsafeRawPointer(value.mv_data!) + headerSize
        return bytes.loadUnaligned(fromByteOffset: 1 + Int(bytes.load(as: UInt8.self)), as: Int.self)
    }

    /// Returns the e-mail address, stored after the age.
    @inline(__always)
    static func email(in value: MDB_val) -> UnsafeRawBufferPointer {
        let bytes = UnsafeRawPointer(value.mv_data!) + headerSize
        let email = bytes + 1 + Int(bytes.load(as: UInt8.self)) + MemoryLayout<Int>.size
        return UnsafeRawBufferPointer(start: email + 1, count: Int(email.load(as: UInt8.self)))
    }

    /// The fields of a value.
    @inline(__always)
    static func fields(of value: MDB_val) -> UnsafeRawPointer { UnsafeRawPointer(value.mv_data!) + headerSize }

    /// Returns a text, and moves past it.
    @inline(__always)
    static func text(_ bytes: inout UnsafeRawPointer) -> String {
        let count = Int(bytes.load(as: UInt8.self))
        defer { bytes += 1 + count }
        return String(decoding: UnsafeRawBufferPointer(start: bytes + 1, count: count), as: UTF8.self)
    }

    static func isEqual(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Bool {
        first.count == second.count && memcmp(first.baseAddress!, second.baseAddress!, first.count) == 0
    }
}

/// Runs a closure with buffers for packing.
func withPacking<R>(_ body: (inout Packing) throws -> R) throws -> R {
    var packing = Packing()
    return try body(&packing)
}

extension PersonRecord {
    @inline(__always)
    init(unpacking key: MDB_val, _ value: MDB_val) {
        let id = UInt64(bigEndian: key.mv_data!.loadUnaligned(as: UInt64.self)) ^ (1 << 63)
        self.init(id: Int64(bitPattern: id), unpacking: value)
    }

    @inline(__always)
    init(id: Int64, unpacking value: MDB_val) {
        var bytes = UnsafeRawPointer(value.mv_data!) + 8
        let name = Packing.text(&bytes)
        let age = bytes.loadUnaligned(as: Int.self)
        bytes += 8
        let email = Packing.text(&bytes)
        let created = bytes.loadUnaligned(as: Double.self)
        self.init(
            id: id, name: name, age: age, email: email, created: Date(timeIntervalSinceReferenceDate: created))
    }
}
