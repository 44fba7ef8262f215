"""``python -I /ce/ce_native <filter>``: the parent of a jail. -I leaves the folder of the program out of the path."""

import sys

sys.path.append("/ce")

if __name__ == "__main__":
    from ce_native.parent import main

    main(sys.argv[1])
