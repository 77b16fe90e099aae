import Testing

@testable import OmbiTUI

@Suite struct ThreadRoomTests {
    @Test func `a system with its usual limits has room`() throws { try ThreadRoom.check() }
}
