/// The help, and the first screen on a terminal without symbols.
extension DrawnScreens {
    static let helpWide = """
         demo › users › list users                                                                      local ▾  127.0.0.1:8765
        ╭┌─ Keys ─────────────────────────────────────────────────────────────────────────────────────────────────────────────┐╮
        ││ Response                                                                   that                                    ││
        ││ ] Enter          Go to the next tab                       E                Switch the environment                  ││
        ││ [                Go to the previous tab                   O                Sign out: forget the environment's      ││
        ││ Left h           Scroll left                                               OAuth 2 tokens                          ││
        ││ Right l          Scroll right                             w                Save the collection                     ││
        ││ ,                Show the response before this one        T                Show the run of the last folder         ││
        ││ .                Show the response after this one         u                Undo the last edit of the collection    ││
        ││ b                Toggle between the fallback and the      U Ctrl+R         Redo the edit undone last               ││
        ││                  response                                 Ctrl+N           Open a scratch request, which is in no  ││
        ││ X                Expect the value under the cursor                         file                                    ││
        ││ Y                Choose what to copy                      Tab              Go to the next pane                     │┪
        ││                                                           Shift+Tab        Go to the previous pane                 │┃
        ││ Lists and bodies                                          1                Go to the requests                      │┃
        ││ Up k             Move up                                  2                Go to the request                       │┃
        ││ Down j           Move down                                3                Go to the response                      │┃
        ││ PageUp           Move a page up                           z                Toggle full screen for this pane        │┃
        ││ PageDown Space   Move a page down                         Alt+Left         Move the divider left                   │┃
        ││ Ctrl+U           Move half a page up                      Alt+Right        Move the divider right                  │┃
        ││ Ctrl+D           Move half a page down                    Alt+Up           Move the divider up                     │┃
        ││ g Home           Go to the top                            Alt+Down         Move the divider down                   │┃
        ││ G End            Go to the end                            H                Show the history of the request         │┃
        ││                                                           y                Copy what is under the cursor           │┃
        ││ Everywhere                                                Ctrl+L           Redraw the screen                       │┃
        ││ s F5             Send the request; run the folder or      Ctrl+Z           Suspend Ombi (fg resumes it)            │┃
        ││                  the collection                           Esc              Leave full screen; end the watch        │┃
        ││ x                Cancel the run                           : Ctrl+P         Find a command, field, request or       │┃
        ││ r                Retry now: end the wait or the attempt                    environment                             │┃
        ││ +                Allow one more attempt                   L                Show the message log                    │┃
        ││ V                Watch: send every few seconds, or stop   F1               Open the manual                         │┃
        │└───────────────────────────────────────────────────────────────────────────────────────────────────────── 58/578 ↓ ─┘┃
        ╰──────────────────────────── 3/5 ─┺━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
         / search  PageDown more  Esc close
        """

    static let helpSearch = """
         demo › users › list users                                                                      local ▾  127.0.0.1:8765
        ┏┌─ Keys ─────────────────────────────────────────────────────────────────────────────────────────────────────────────┐╮
        ┃│ /copy                                                                                                              ││
        ┃│                                                                                                                    ││
        ┃│ Requests                                                  Editing a field                                          ││
        ┃│ c                Copy the item to a folder                Alt+c            Copy the selection, or the line         ││
        ┃│ Y                Choose what to copy                                                                               ││
        ┃│                                                           Editing a body                                           ││
        ┃│ Everywhere                                                Alt+c            Copy the selection, or the line         ││
        ┃│ y                Copy what is under the cursor                                                                     ││
        ┃│                                                                                                                    ││
        ┃│ Marked requests                                                                                                    ││
        ┃│ P                Copy the marked items here                                                                        │┤
        ┃│                                                                                                                    ││
        ┃│ Request                                                                                                            ││
        ┃│ Y                Choose what to copy                                                                               ││
        ┃│                                                                                                                    ││
        ┃│ Response                                                                                                           ││
        ┃│ Y                Choose what to copy                                                                               ││
        ┃│                                                                                                                    ││
        ┃│ Body                                                                                                               ││
        ┃│ y                Copy the value or line under the                                                                  ││
        ┃│                  cursor                                                                                            ││
        ┃│ Y                Choose what to copy                                                                               ││
        ┃│ Alt+y            Copy the whole body                                                                               ││
        ┃│ C                Copy the path of the value under the                                                              ││
        ┃│                  cursor                                                                                            ││
        ┃│                                                                                                                    ││
        ┃│ Selected rows                                                                                                      ││
        ┃│ y                Copy the selected rows                                                                            ││
        ┃│                                                                                                                    ││
        ┃└────────────────────────────────────────────────────────────────────────────────────────────────────────────────────┘│
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 3/5 ━┹───────────────────────────────────────────────────────────────────────────────────╯
         Enter show  Esc close
        """

    static let ascii = """
         demo > users > list users                              local v  127.0.0.1:8765
        + 1 Requests ==================================================================+
        | v demo                                                                     3 |
        |  v users                                                                   3 |
        |    GET   list users                                                          |
        |    GET   user by id                                                          |
        |    POST  create user                                                         |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        +======================================================================== 3/5 =+
         s send  Enter open  / search  a add  R rename  : commands  ? help  q quit
        """
}
