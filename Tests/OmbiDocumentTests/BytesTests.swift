import OmbiDocument
import Testing

@Test func aRangeOfBytesCountsFromTheStart() {
    #expect(ByteRange(uncheckedBounds: (2, 5)).count == 3)
}
