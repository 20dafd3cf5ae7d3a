import './platform/utility-parent.ts';
import './lab.ts';
