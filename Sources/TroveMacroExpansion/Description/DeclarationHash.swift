// The compile-time hash for `validated:`: sdbm over the text
//
//     name:type,name:type|key,key        stored properties in order of declaration, then the key
//
// with the stored names of the properties.
//
// Users' sources contain hash values: neither the text nor the hash ever changes.

/// The hash of a declaration's own text.
enum DeclarationHash {
    static func text(properties: [PropertyDescription], key: [PropertyDescription]) -> String {
        properties.map { "\($0.storedName):\($0.declaredType)" }.joined(separator: ",")
            + "|" + key.map(\.storedName).joined(separator: ",")
    }

    static func value(properties: [PropertyDescription], key: [PropertyDescription]) -> Int64 {
        sdbm(text(properties: properties, key: key))
    }

    /// 64-bit sdbm over UTF-8, as its signed bit pattern.
    static func sdbm(_ text: String) -> Int64 {
        Int64(
            bitPattern: text.utf8.reduce(0) { hash, byte in
                UInt64(byte) &+ (hash << 6) &+ (hash << 16) &- hash
            })
    }
}
