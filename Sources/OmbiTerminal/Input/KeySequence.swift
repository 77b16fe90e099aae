/// A key and the bytes that a terminal sends for it.
package struct KeySequence: Sendable {
    let bytes: [UInt8]
    let key: Key

    package init(_ bytes: [UInt8], _ key: Key) { (self.bytes, self.key) = (bytes, key) }
}
